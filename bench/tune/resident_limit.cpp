#include "bench/tune/resident_limit.hpp"

#include <algorithm>
#include <cmath>

#include "bench/catalog/cooperative_blocks.hpp"
#include "bench/tune/across_sizes.hpp"

namespace cfdmark::tuning {
namespace {

long long blocks_of(const Case& c, const Grid& grid) {
  return cooperative_blocks(*c.row, grid, c.config, c.workload);
}

// 0: unknown
long long multiprocessors_of(const Json& environment, int device) {
  const Json gpus = environment.value("gpus", Json::array());
  const Json gpu =
      std::size_t(device) < gpus.size() ? gpus[std::size_t(device)] : environment.value("gpu", Json());
  return gpu.is_object() ? gpu.value("multiprocessors", 0) : 0;
}

}  // namespace

Grid grid_of_cells(const Grid& shape, double cells) {
  const double factor = std::pow(cells / double(shape.cells()), 1.0 / shape.dims);
  const auto side = [&](int n) { return std::max(1, int(std::lround(n * factor))); };
  Grid grid = shape;
  grid.nx = side(shape.nx), grid.ny = side(shape.ny);
  if (shape.is_3d()) grid.nz = side(shape.nz);
  return grid;
}

std::optional<long long> most_blocks(const TuneAnswer& a, std::size_t candidate, const Json& environment) {
  const Case& c = a.space.cases[candidate];
  const long long blocks = blocks_of(c, c.domain.box());
  const Json& record = a.records[candidate];
  if (blocks == 0 || record.is_null()) return std::nullopt;
  const long long multiprocessors = multiprocessors_of(environment, c.device);
  if (multiprocessors == 0) return blocks;  // the device held these
  for (const Json& kernel : record.value("/resources/kernels"_json_pointer, Json::array()))
    if (kernel.at("blocks") == blocks)
      return std::min(kernel.at("resident_blocks").get<long long>(),
                      (blocks + multiprocessors - 1) / multiprocessors) *
             multiprocessors;
  // Without a device the plan chose another tile than on the device, which knows how many blocks are
  // resident. `blocks` belongs to the tile for one block per SM, or to the one chosen if none fits.
  return std::max(blocks, multiprocessors);
}

double fitting_cells(const Case& c, double most_cells, long long most) {
  const auto fits = [&](double cells) { return blocks_of(c, grid_of_cells(c.domain.box(), cells)) <= most; };
  if (fits(most_cells)) return most_cells;
  double low = double(c.domain.box().cells()), high = most_cells;
  while (high - low > 0.001 * low) {
    const double middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

void end_where_winners_fit(std::vector<TuneRange>& ranges, const std::vector<TuneAnswer>& answers,
                           const Json& environment) {
  for (std::size_t n = 0; n < ranges.size(); ++n) {
    SizeRange& range = ranges[n].sizes;
    const TuneAnswer& largest = answers.at(range.last);
    const std::size_t winner = place_of(largest, ranges[n].winner);
    const auto most = most_blocks(largest, winner, environment);
    if (!most) continue;
    const double end = fitting_cells(largest.space.cases[winner], range.most_cells, *most);
    if (n + 1 < ranges.size() && ranges[n + 1].sizes.least_cells == range.most_cells)
      ranges[n + 1].sizes.least_cells = end;
    range.most_cells = end;
  }
}

}  // namespace cfdmark::tuning
