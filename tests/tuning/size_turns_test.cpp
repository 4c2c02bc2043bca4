#include "tuning/size_turns.hpp"

#include "tests/catch.hpp"

using namespace cfdmark::tuning;

namespace {

std::vector<std::size_t> order(const std::vector<SizeTurn>& turns) {
  std::vector<std::size_t> sizes;
  for (const SizeTurn& turn : turns) sizes.push_back(turn.size);
  return sizes;
}
std::vector<double> shares(const std::vector<SizeTurn>& turns) {
  std::vector<double> all;
  for (const SizeTurn& turn : turns) all.push_back(turn.share);
  return all;
}

}  // namespace

TEST_CASE(
    "under a short budget the smallest and every third size from the largest come first, with larger shares",
    "[tuning][ranges]") {
  CHECK(order(turns_in_short_time(7)) == std::vector<std::size_t>{0, 3, 6, 1, 2, 4, 5});
  CHECK(shares(turns_in_short_time(7)) == std::vector<double>{4, 4, 8, 1, 1, 1, 1});
  CHECK(order(turns_in_short_time(6)) == std::vector<std::size_t>{0, 2, 5, 1, 3, 4});
  CHECK(order(turns_in_short_time(2)) == std::vector<std::size_t>{0, 1});
  CHECK(shares(turns_in_short_time(1)) == std::vector<double>{8});
  CHECK(turns_in_short_time(0).empty());
}

TEST_CASE("without a budget sizes take turns in order with equal shares", "[tuning][ranges]") {
  CHECK(order(equal_turns(4)) == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(shares(equal_turns(4)) == std::vector<double>{1, 1, 1, 1});
}
