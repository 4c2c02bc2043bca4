#include "bench/tuned/tuned_range.hpp"

#include <algorithm>
#include <cmath>

#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {
namespace {

Grid grid_from_sides(const Json& sides) {
  if (sides.size() == 2) return {sides.at(0), sides.at(1)};
  return {sides.at(0), sides.at(1), sides.at(2), 3};
}

// Uses double, because a damaged table may have sides whose product overflows 64 bits.
double cells_of(const Grid& g) { return double(g.nx) * g.ny * g.nz; }

}  // namespace

Grid grid_of(const Json& entry) { return grid_from_sides(entry.at("grid")); }

std::vector<Grid> sizes_of(const Json& entry) {
  std::vector<Grid> sizes;
  for (const Json& size : entry.value("/range/sizes"_json_pointer, Json::array()))
    sizes.push_back(grid_from_sides(size.at("grid")));
  if (sizes.empty()) sizes.push_back(grid_of(entry));
  return sizes;
}

std::vector<Grid> asked_sizes_of(const Json& entry) {
  if (entry.value("/range/sizes"_json_pointer, Json::array()).empty()) return {grid_of(entry)};
  std::vector<Grid> sizes;
  for (const Json& size : entry["range"]["sizes"])
    if (!size.value("between", false)) sizes.push_back(grid_from_sides(size.at("grid")));
  return sizes;
}

std::vector<Grid> answered_sizes_of(const Json& entry) {
  std::vector<Grid> sizes = asked_sizes_of(entry);
  for (const Json& size : entry.value("/range/sizes"_json_pointer, Json::array()))
    if (size.contains("tried")) std::erase(sizes, grid_from_sides(size.at("grid")));
  return sizes;
}

std::vector<Grid> left_out_of(const Json& entry) {
  std::vector<Grid> grids;
  for (const Json& grid : entry.value("/search/left_out"_json_pointer, Json::array()))
    grids.push_back(grid_from_sides(grid));
  return grids;
}

CellRange range_of(const Json& entry) {
  if (entry.contains("range")) return {entry["range"].at("least_cells"), entry["range"].at("most_cells")};
  const double cells = cells_of(grid_of(entry));
  return {cells / size_margin, cells * size_margin};
}

bool covers(const Json& entry, const Grid& grid) { return covers(entry, grid, cells_of(grid)); }

bool covers(const Json& entry, const Grid& shape, double cells) {
  const CellRange range = range_of(entry);
  return shape.is_3d() == grid_of(entry).is_3d() && range.least <= cells && cells <= range.most &&
         alike(shape, grid_of(entry));
}

bool measured_around(const Json& entry, const Grid& grid) {
  const std::vector<Grid> sizes = sizes_of(entry);
  const auto some = [&](const auto& is) { return std::any_of(sizes.begin(), sizes.end(), is); };
  return alike(grid_of(entry), grid) &&
         (some([&](const Grid& size) { return size_ratio(size, grid) <= size_margin; }) ||
          (some([&](const Grid& size) { return cells_of(size) <= cells_of(grid); }) &&
           some([&](const Grid& size) { return cells_of(size) >= cells_of(grid); })));
}

double size_ratio(const Grid& a, const Grid& b) {
  return std::max(cells_of(a), cells_of(b)) / std::min(cells_of(a), cells_of(b));
}

Grid nearest_size(const Json& entry, const Grid& grid) {
  const std::vector<Grid> sizes = sizes_of(entry);
  return *std::min_element(sizes.begin(), sizes.end(), [&](const Grid& a, const Grid& b) {
    return size_ratio(a, grid) < size_ratio(b, grid);
  });
}

bool alike(const Grid& a, const Grid& b) {
  const int dims = a.is_3d() ? 3 : 2;
  const auto shape = [&](const Grid& g, int side) { return std::pow(side, dims) / cells_of(g); };
  const double most = std::pow(2, dims);
  for (const auto side : {&Grid::nx, &Grid::ny, &Grid::nz}) {
    if (side == &Grid::nz && dims == 2) continue;
    const double ratio = shape(a, a.*side) / shape(b, b.*side);
    if (ratio > most || ratio < 1 / most) return false;
  }
  return true;
}

}  // namespace cfdmark::tuning
