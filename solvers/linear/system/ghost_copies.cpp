#include "kernels/copy/copy.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

// A box of cells of a field: its first cell and its extents. It may lie in the ghosts.
struct Part {
  int i = 0, j = 0, k = 0, nx, ny, nz;
};
AnyView part_of(const AnyView& field, const Part& p) {
  AnyView part = field;
  part.origin = static_cast<char*>(field.origin) +
                (p.i + p.j * field.pitch + p.k * field.plane) * Index(stored_bytes(field.storage));
  part.grid.nx = p.nx, part.grid.ny = p.ny, part.grid.nz = p.nz;
  part.is_box = true;
  return part;
}

}  // namespace

std::vector<Operation> ghost_copies(const System& system, const std::array<bool, 3>& periodic,
                                    const AnyView& field, const Config& config) {
  std::vector<Operation> copies;
  const auto methods = CellKernel<Copy>::methods(system.backend->kind());
  const auto copy = [&](const AnyView& from, const AnyView& to) {
    const CellArgs<Copy> args{system.precision, {}, {from, to}};
    copies.push_back(prepare(system, "ghosts", methods.front(), args, config));
  };
  // Later axes copy the ghosts that earlier ones filled, which fills edges and corners.
  const Grid& g = field.grid;
  const int h = g.halo;
  Part all{.nx = g.nx, .ny = g.ny, .nz = g.nz};
  const auto around = [&](bool is_periodic, int Part::*first, int Part::*cells) {
    const int n = all.*cells;
    if (is_periodic)
      for (const auto& [from, to] : {std::pair{n - h, -h}, {0, n}}) {
        Part source = all, ghost = all;
        source.*cells = ghost.*cells = h;
        source.*first = from, ghost.*first = to;
        copy(part_of(field, source), part_of(field, ghost));
      }
    all.*first = -h, all.*cells = n + 2 * h;
  };
  around(periodic[0], &Part::i, &Part::nx);
  around(periodic[1], &Part::j, &Part::ny);
  if (g.is_3d()) around(periodic[2], &Part::k, &Part::nz);
  return copies;
}

}  // namespace cfdmark
