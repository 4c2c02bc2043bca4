// The sizes that a tune is asked for: grids, each with a weight, and ladders.
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
  int ladder_steps = 1;              // at least so many a doubling of a side
  bool one_answer = false;           // weights mean nothing without

  bool empty() const { return grids.empty() && ladders.empty(); }
};

// The sizes of the ladders, each step as large as the others and at most a doubling of a side; then the grids
// that they do not have. `dims` of a ladder of whole numbers. Throws std::invalid_argument that says what to
// write: for what is no grid, weight or ladder, a grid given twice, or a weight without one answer.
std::vector<WeightedGrid> sizes_from(const AskedSizes&, int dims);

}  // namespace cfdmark
