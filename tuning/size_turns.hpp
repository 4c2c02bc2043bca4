// Chooses the order and the time shares of the grid sizes of a tune (its ladder) under a short budget.
#pragma once

#include <cstddef>
#include <vector>

namespace cfdmark::tuning {

struct SizeTurn {
  std::size_t size;  // index among the sizes, smallest first
  double share;      // share of the total time
};

// Returns the smallest size and every third one down from the largest, in increasing order, then the others.
// The first have four shares each, the largest of all eight because its fields take long to fill. The others
// have one share and try the winners of the first. Equal shares would be too short to search any size well
// (docs/decisions).
std::vector<SizeTurn> turns_in_short_time(std::size_t sizes);
// Returns one share each, in order of size.
std::vector<SizeTurn> equal_turns(std::size_t sizes);

}  // namespace cfdmark::tuning
