// In which order the sizes of a ladder are searched when time is short, and with how much of it each.
#pragma once

#include <cstddef>
#include <vector>

namespace cfdmark::tuning {

struct SizeTurn {
  std::size_t size;  // its place among the sizes, the smallest first
  double share;      // of the time that all have
};

// The smallest and every third one down from the largest come before the others, in the order of their sizes,
// and each has four shares where the others have one, the largest eight, since its fields alone take long:
// what is good there is tried on the others. With equal shares none of seven sizes was searched well
// (results/lab_book.md).
std::vector<SizeTurn> turns_in_short_time(std::size_t sizes);
// One share each, in the order of their sizes.
std::vector<SizeTurn> equal_turns(std::size_t sizes);

}  // namespace cfdmark::tuning
