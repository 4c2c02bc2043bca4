#include "solvers/flow/periodic_ghosts.hpp"

#include "kernels/copy/copy.hpp"

namespace cfdmark {
namespace {

// The cells of a field, or so many from one of them on, ghosts among them.
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

PeriodicGhosts::PeriodicGhosts(const System& system, const FlowDomain& domain, std::vector<AnyView> fields,
                               const Config& config) {
  const auto methods = CellKernel<Copy>::methods(system.backend->kind());
  const auto copy = [&](const AnyView& from, const AnyView& to) {
    const CellArgs<Copy> args{system.precision, {}, {from, to}};
    copies_.push_back(prepare(system, "ghosts", methods.front(), args, config));
  };
  // What one direction has filled, the next takes with it: edges and corners.
  for (const AnyView& f : fields) {
    const Grid& g = f.grid;
    const int h = g.halo;
    Part all{.nx = g.nx, .ny = g.ny, .nz = g.nz};
    const auto around = [&](bool is_periodic, int Part::*first, int Part::*cells) {
      const int n = all.*cells;
      if (is_periodic)
        for (const auto& [from, to] : {std::pair{n - h, -h}, {0, n}}) {
          Part source = all, ghost = all;
          source.*cells = ghost.*cells = h;
          source.*first = from, ghost.*first = to;
          copy(part_of(f, source), part_of(f, ghost));
        }
      all.*first = -h, all.*cells = n + 2 * h;
    };
    around(domain.periodic_x, &Part::i, &Part::nx);
    around(domain.periodic_y, &Part::j, &Part::ny);
    if (g.is_3d()) around(domain.periodic_z, &Part::k, &Part::nz);
  }
}

int PeriodicGhosts::launches() const {
  int all = 0;
  for (const Operation& copy : copies_) all += copy.step.resources.launches;
  return all;
}

Cost PeriodicGhosts::cost() const {
  Cost all;
  for (const Operation& copy : copies_) all = all + copy.cost;
  return all;
}

}  // namespace cfdmark
