#include "solvers/linear/system/rank_levels.hpp"

#include "kernels/grid_transfer/grid_transfer.hpp"

namespace cfdmark {
namespace {

constexpr int usual_gather_cells = 2048;
constexpr int usual_gather_cells_on_devices = 1 << 20;

}  // namespace

const Setting gather_cells{
    "gather_cells",
    {},
    usual_gather_cells,
    "fewest cells of a rank on a parted multigrid level; `coarse` says which ranks have smaller levels",
    "",
    integer_from(1)};

const Setting coarse_levels = choice_setting(
    "coarse", {"redundant", "gathered"}, "redundant",
    "multigrid levels that are not parted: repeated by every rank, or gathered on the first rank");

Setting gather_cells_on_devices() {
  Setting setting = gather_cells;
  setting.default_value = usual_gather_cells_on_devices;
  return setting;
}

int multigrid_alignment(const Grid& domain, int ranks, const Config& config) {
  int align = 2;
  for (Grid coarse = coarse_grid(domain, full_coarsening(domain));;) {
    if (coarse.cells() < Index(gather_cells_of(config)) * ranks || full_coarsening(coarse).none())
      return align;
    align *= 2;
    coarse = coarse_grid(coarse, full_coarsening(coarse));
  }
}

bool gathers_coarse_levels(const Config& config) {
  return config.has(coarse_levels.name) && config.is(coarse_levels.name, "gathered");
}

int gather_cells_of(const Config& config) {
  return config.has(gather_cells.name) ? config.integer(gather_cells.name) : usual_gather_cells;
}

}  // namespace cfdmark
