#include "tuning/size_turns.hpp"

#include <algorithm>

namespace cfdmark::tuning {
namespace {

constexpr std::size_t one_in = 3;
constexpr double share_of_a_first = 4, share_of_the_largest = 8;

}  // namespace

std::vector<SizeTurn> equal_turns(std::size_t sizes) {
  std::vector<SizeTurn> turns;
  for (std::size_t n = 0; n < sizes; ++n) turns.push_back({n, 1});
  return turns;
}

std::vector<SizeTurn> turns_in_short_time(std::size_t sizes) {
  std::vector<SizeTurn> turns = equal_turns(sizes);
  for (SizeTurn& turn : turns)
    if (turn.size == 0 || (sizes - 1 - turn.size) % one_in == 0) turn.share = share_of_a_first;
  if (sizes > 0) turns.back().share = share_of_the_largest;
  std::stable_partition(turns.begin(), turns.end(), [](const SizeTurn& t) { return t.share > 1; });
  return turns;
}

}  // namespace cfdmark::tuning
