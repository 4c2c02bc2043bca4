// The requested sizes of a tune: grids with weights, and ladders.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/grid.hpp"

namespace cfdmark {

struct WeightedGrid {
  Grid grid;
  double weight = 1;
};

struct AskedSizes {
  std::vector<std::string> grids;    // "4096x4096", "4096x4096:3"
  std::vector<std::string> ladders;  // "256..8192", "64x64x64..256x256x256"
  int ladder_steps = 1;              // least number of steps per doubling of a side
  bool one_answer = false;           // required for weights

  bool empty() const { return grids.empty() && ladders.empty(); }
};

// Returns the sizes of the ladders, in equal ratios of at most two per side, then the grids not among them.
// `dims` is the dimension of ladders given by side. Throws std::invalid_argument with the fix for an invalid
// grid, weight or ladder, a grid given twice, or a weight without `one_answer`.
std::vector<WeightedGrid> sizes_from(const AskedSizes&, int dims);

}  // namespace cfdmark
