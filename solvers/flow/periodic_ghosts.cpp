#include "solvers/flow/periodic_ghosts.hpp"

#include "kernels/copy/copy.hpp"

namespace cfdmark {
namespace {

// Columns or rows of a field, ghosts among them: nx x ny cells from (i, j) on.
AnyView strip(const AnyView& field, int i, int j, int nx, int ny) {
  AnyView part = field;
  part.origin = static_cast<char*>(field.origin) + (i + j * field.pitch) * Index(stored_bytes(field.storage));
  part.grid.nx = nx, part.grid.ny = ny;
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
  // The corners go with the second direction.
  for (const AnyView& f : fields) {
    const int nx = f.grid.nx, ny = f.grid.ny, h = f.grid.halo;
    if (domain.periodic_x) {
      copy(strip(f, nx - h, 0, h, ny), strip(f, -h, 0, h, ny));
      copy(strip(f, 0, 0, h, ny), strip(f, nx, 0, h, ny));
    }
    if (domain.periodic_y) {
      copy(strip(f, -h, ny - h, nx + 2 * h, h), strip(f, -h, -h, nx + 2 * h, h));
      copy(strip(f, -h, 0, nx + 2 * h, h), strip(f, -h, ny, nx + 2 * h, h));
    }
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
