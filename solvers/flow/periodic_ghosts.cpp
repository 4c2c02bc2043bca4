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
  for (const AnyView& f : fields) {
    const int nx = f.grid.nx, ny = f.grid.ny;
    if (domain.periodic_x) {
      copy(strip(f, nx - 1, 0, 1, ny), strip(f, -1, 0, 1, ny));
      copy(strip(f, 0, 0, 1, ny), strip(f, nx, 0, 1, ny));
    }
    if (domain.periodic_y) {
      copy(strip(f, 0, ny - 1, nx, 1), strip(f, 0, -1, nx, 1));
      copy(strip(f, 0, 0, nx, 1), strip(f, 0, ny, nx, 1));
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
