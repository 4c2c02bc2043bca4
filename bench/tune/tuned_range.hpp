// The sizes that an entry of a tuned table holds for.
#pragma once

#include <vector>

#include "bench/record/json.hpp"
#include "kernels/core/grid.hpp"

namespace cfdmark::tuning {

// That the entry is told at: of a range the largest of its sizes.
Grid grid_of(const Json& entry);
// That it was tuned on.
std::vector<Grid> sizes_of(const Json& entry);
// Those of them that were asked for: the others were measured between two of these (between.hpp).
std::vector<Grid> asked_sizes_of(const Json& entry);
// Those of them that a search had time for: of the others few configs were tried.
std::vector<Grid> answered_sizes_of(const Json& entry);
// That were asked for with it, and had no config that works.
std::vector<Grid> left_out_of(const Json& entry);

struct CellRange {
  double least = 0, most = 0;  // cells of a grid, both included

  double ratio() const { return most / least; }
};
// Of an entry from before ranges were kept: its one size, with `size_margin` below and above.
CellRange range_of(const Json& entry);

// Whether the entry answers for this grid: it is of the same dimension and alike in shape, and its number of
// cells lies within the range.
bool covers(const Json& entry, const Grid&);
// The same of a grid of this shape with so many cells.
bool covers(const Json& entry, const Grid& shape, double cells);

// Whether one of its sizes has at most `size_margin` times as many cells as the grid or as few, or it has a
// smaller and a larger one.
bool measured_around(const Json& entry, const Grid&);

// How far apart two grids are: how many times as many points the larger has.
double size_ratio(const Grid&, const Grid&);
// Of the sizes that it was tuned on the nearest to this grid.
Grid nearest_size(const Json& entry, const Grid&);

// Whether each side, against the mean side of its grid, is at most twice that of the other's. Of planes: the
// ratios of their sides differ by no more than a factor of four.
bool alike(const Grid&, const Grid&);

}  // namespace cfdmark::tuning
