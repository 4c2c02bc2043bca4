// The grid sizes for which an entry of a tuned table is used (its range), and those that it was measured on.
#pragma once

#include <vector>

#include "bench/text/json.hpp"
#include "kernels/core/grid.hpp"

namespace cfdmark::tuning {

// Returns the representative grid: the largest of the range.
Grid grid_of(const Json& entry);
// Returns the sizes that the entry was tuned on.
std::vector<Grid> sizes_of(const Json& entry);
// Returns the sizes among them that were requested. The tuner added the others between these
// (tuning/between_sizes.hpp).
std::vector<Grid> asked_sizes_of(const Json& entry);
// Returns the requested sizes that were searched with enough time; at the others only a few configs were
// tried.
std::vector<Grid> answered_sizes_of(const Json& entry);
// Returns the grids requested in the same tune on which no config works.
std::vector<Grid> left_out_of(const Json& entry);

struct CellRange {
  double least = 0, most = 0;  // cells of a grid, both included

  double ratio() const { return most / least; }
};
// Returns the range of the entry; without one, its one size with `size_margin` below and above.
CellRange range_of(const Json& entry);

// Returns true if the grid has the dimension of the entry and a similar shape, and its cells are within the
// range.
bool covers(const Json& entry, const Grid&);
// The same for a grid of this shape with `cells` cells.
bool covers(const Json& entry, const Grid& shape, double cells);

// Returns true if one of the entry's sizes is within `size_margin` of the grid, or the grid lies between two
// of them.
bool measured_around(const Json& entry, const Grid&);

// Returns the ratio of the cells of the larger grid to those of the smaller.
double size_ratio(const Grid&, const Grid&);
// Returns the tuned size that is nearest to the grid.
Grid nearest_size(const Json& entry, const Grid&);

// Returns true if each side, relative to the mean side of its grid, differs by at most a factor of two. For
// 2-D grids: the aspect ratios differ by at most a factor of four.
bool alike(const Grid&, const Grid&);

}  // namespace cfdmark::tuning
