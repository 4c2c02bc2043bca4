#include "solvers/linear/multigrid/level_parts.hpp"

#include <stdexcept>

#include "kernels/cells/operator_problem.hpp"
#include "kernels/grid_transfer/part_coarsening.hpp"
#include "solvers/linear/multigrid/multigrid.hpp"

namespace cfdmark {
namespace {

// A cell of operator coarsening reads two cells beyond its part.
constexpr int layers_of_coarsening = 2;

std::array<bool, 3> axes_of(const Coarsening& by) { return {by.x == 1, by.y == 1, by.z == 1}; }

// Returns a view in which the given cell of the domain is the first cell of `view`.
AnyView with_first_cell_at(const AnyView& view, int i, int j, int k) {
  AnyView shifted = view;
  shifted.origin = static_cast<char*>(view.origin) -
                   (i + j * view.pitch + k * view.plane) * Index(stored_bytes(view.storage));
  return shifted;
}

std::vector<AnyView> with_first_cell_at(std::vector<AnyView> views, const CellBox& box) {
  for (AnyView& view : views) view = with_first_cell_at(view, box.i, box.j, box.k);
  return views;
}

}  // namespace

void run_cycles_on_ranks(SolverMethod& method) {
  method.does_ranks = true;
  method.rank_alignment = multigrid_alignment;
  method.rank_settings.push_back(gather_cells);
  method.rank_settings.push_back(coarse_levels);
}

Partition all_coarse_parts(const System& system, const Coarsening& by) {
  if (!system.is_part()) throw std::logic_error("multigrid on ranks needs the parts of a box");
  const Partition& parts = *system.ranks->partition();
  if (!parts.can_be_halved(axes_of(by)))
    throw std::invalid_argument(
        "multigrid on ranks needs cuts at even cells; use fewer ranks or another partition");
  return parts.halved(axes_of(by));
}

std::optional<Partition> coarse_parts(const System& system, const Coarsening& by, const Coarsening& next,
                                      const Config& config) {
  Partition coarse = all_coarse_parts(system, by);
  if (coarse.whole().cells() < Index(gather_cells_of(config)) * coarse.ranks()) return {};
  if (!coarse.can_be_halved(axes_of(next))) return {};
  for (int d = 0; d < (coarse.whole().is_3d() ? 3 : 2); ++d)
    if ((coarse.counts()[d] > 1 || coarse.periodic()[d]) && coarse.thinnest(d) < layers_of_coarsening)
      return {};
  return coarse;
}

Operator operator_of_part(const Operator& of_domain, const Partition& parts, int rank) {
  Operator a = of_domain;
  const CellBox& own = parts.part(rank).own;
  const Grid& whole = parts.whole();
  const bool is_last[] = {own.i + own.nx == whole.nx, own.j + own.ny == whole.ny, own.k + own.nz == whole.nz};
  for (int d = 0; d < 3; ++d)
    if (!is_last[d]) a.to_boundary[d] = 1;
  return a;
}

// The arrays are copied to fields with two layers of ghosts. The cell body then runs at indices of the whole
// domain, so that it finds the domain's own sides. Periodic axes end beyond the ghosts, which have the
// values.
std::vector<Operation> coarsen_part(const System& system, const Operator& coarse_a, const Coarsening& by,
                                    const Config& threads) {
  const Operations op(system, threads);
  const Partition& parts = *system.ranks->partition();
  const CellBox own = system.own(), coarse = parts.halved(axes_of(by)).part(system.ranks->rank()).own;
  std::vector<Operation> all;
  std::vector<Field> wide;
  std::vector<AnyView> views;
  for (const AnyView& array : arrays_of(system.stencil(), system.grid())) {
    wide.emplace_back(*system.backend, array.grid.with_halo(layers_of_coarsening), system.precision);
    views.push_back(wide.back().view());
    all.push_back(op.scale({1}, array, views.back(), "coarsen operator"));
    for (Operation& exchange : op.exchange(views.back())) all.push_back(std::move(exchange));
  }
  GridTransferArgs args;
  args.precision = system.precision, args.pass = TransferPass::operator_coarsening;
  args.by = by, args.periodic = system.sides.periodic;
  args.fine_grid = system.domain();
  int* const extents[] = {&args.fine_grid.nx, &args.fine_grid.ny, &args.fine_grid.nz};
  for (int d = 0; d < 3; ++d)
    if (args.periodic[d]) *extents[d] += layers_of_coarsening;
  args.a = operator_over(with_first_cell_at(views, own), 0, system.grid());
  args.coarse_a =
      operator_over(with_first_cell_at(arrays_of(coarse_a, system.grid()), coarse), 0, system.grid());
  Operation coarsen{"coarsen operator", system.backend, system.clock,
                    coarsening_of_part(*system.backend, args, coarse), grid_transfer_cost(args)};
  coarsen.step.run = [run = std::move(coarsen.step.run), wide] { run(); };
  all.push_back(std::move(coarsen));
  return all;
}

}  // namespace cfdmark
