#include "solvers/linear/system/rank_levels.hpp"

#include "kernels/grid_transfer/grid_transfer.hpp"

namespace cfdmark {
namespace {

constexpr int usual_gather_cells = 2048;

}  // namespace

const Setting gather_cells{
    "gather_cells",
    {},
    usual_gather_cells,
    "fewest cells of a rank on a parted multigrid level; each rank repeats smaller levels",
    "",
    integer_from(1)};

int multigrid_alignment(const Grid& domain, int ranks, const Config& config) {
  int align = 2;
  for (Grid coarse = coarse_grid(domain, full_coarsening(domain));;) {
    if (coarse.cells() < Index(gather_cells_of(config)) * ranks || full_coarsening(coarse).none())
      return align;
    align *= 2;
    coarse = coarse_grid(coarse, full_coarsening(coarse));
  }
}

int gather_cells_of(const Config& config) {
  return config.has(gather_cells.name) ? config.integer(gather_cells.name) : usual_gather_cells;
}

}  // namespace cfdmark
