// Sizes between two sizes, on tables of times computed by hand.
#include "tuning/between_sizes.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();
using Places = std::vector<std::size_t>;

}  // namespace

TEST_CASE(
    "between sizes with different winners the middle is measured with the candidates estimated to be fast "
    "there",
    "[tuning][ranges]") {
  // From 1e4 to 9e4 cells. The middle of the logarithms is 3e4 cells, where a time is the geometric mean of
  // both.
  const auto sizes = sizes_between(1e4, 9e4, {{1, 16}, {2, 4}, {4, 9}, {1.9, none}, {none, 4.1}});
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0].cells == Approx(3e4));
  // 4, sqrt(8) and 6. The best interpolated time is 2. The candidate 1.9 times the best below is estimated at
  // 3.8, the one 1.025 times the best above at 2.05.
  CHECK(sizes[0].candidates == Places{4, 1, 3, 0, 2});
}

TEST_CASE("nothing is measured between two sizes if one candidate is within tolerance of the best at both",
          "[tuning][ranges]") {
  CHECK(sizes_between(1e4, 9e4, {{1.015, 4.06}, {1, 8}, {2, 4}}).empty());
  CHECK(sizes_between(1e4, 9e4, {{1.03, 4.06}, {1, 8}, {2, 4}}).size() == 1);
  CHECK(sizes_between(1e4, 1.2e4, {{1, 8}, {2, 4}}).empty());  // too near each other
  CHECK(sizes_between(1e4, 17e4, {{1, 8}, {2, 4}}).empty());   // too far apart
}

TEST_CASE(
    "between sizes far apart a candidate with large tiles does not answer for the middle unless it is "
    "cooperative",
    "[tuning][ranges]") {
  const auto suits_both = [](bool tiles, double end) { return TimesAtTwo{1, 4, end, tiles}; };
  const TimesAtTwo other = {1.1, 4.5};
  CHECK(sizes_between(1e4, 4e4, {suits_both(true, none), other}).size() == 1);
  CHECK(sizes_between(1e4, 4e4, {suits_both(false, none), other}).empty());
  CHECK(sizes_between(1e4, 4e4, {suits_both(true, 4e4), other}).empty());
  CHECK(sizes_between(1e4, 2e4, {suits_both(true, none), other}).empty());  // not far apart
  // A candidate with one step per run that is as good at both sizes suffices, whatever the others do.
  CHECK(sizes_between(1e4, 4e4, {suits_both(true, none), {1.015, 4.06}}).empty());
}

TEST_CASE("a candidate that may not answer both sizes does not answer for the middle", "[tuning][ranges]") {
  TimesAtTwo suits_both = {1, 4};
  const TimesAtTwo fallback = {1, 4.3};
  CHECK(sizes_between(1e4, 4e4, {fallback, suits_both}).empty());
  suits_both.may_answer_both = false;
  const auto sizes = sizes_between(1e4, 4e4, {fallback, suits_both});
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0].cells == Approx(2e4));
  CHECK(sizes[0].candidates == Places{1, 0});
  // A default that suits both sizes answers both.
  CHECK(sizes_between(1e4, 4e4, {{1, 4.06}, suits_both}).empty());
}

TEST_CASE("edges are measured even if one candidate suits both sizes", "[tuning][ranges]") {
  const std::vector<TimesAtTwo> one_suits = {{1, 4}, {1, 8}, {2, 4}};
  const auto sizes = sizes_between(1e4, 9e4, one_suits, {1.5e4, 5e4, 1e4, 9.5e4});
  REQUIRE(sizes.size() == 3);  // 1e4 and 9.5e4 are not between; the middle, 3e4, is near no edge
  CHECK(sizes[0].cells == Approx(1.5e4));
  CHECK(sizes[1].cells == Approx(3e4));
  CHECK(sizes[2].cells == Approx(5e4));
  CHECK(sizes_between(1e4, 9e4, one_suits, {2.5e4}).size() == 1);  // the middle is near it
  CHECK(sizes_between(1e4, 1.2e4, one_suits, {1.1e4}).empty());    // too near each other
}

TEST_CASE("each cooperative candidate is measured at its limit if only slower ones have larger limits",
          "[tuning][ranges]") {
  // Each takes the same time on every grid within its limit. The third is never the fastest, since the second
  // is faster and has a larger limit. The fifth has no limit below 9e4 and a time there. The last is not
  // cooperative.
  const std::vector<TimesAtTwo> times = {{1, none, 1.5e4}, {1.2, none, 3e4}, {1.3, none, 2e4},
                                         {1.5, none, 6e4}, {2, 2, 9e4},      {2.5, 7}};
  const auto sizes = sizes_between(1e4, 9e4, times);
  REQUIRE(sizes.size() == 3);
  CHECK(sizes[0].cells == 1.5e4);
  CHECK(sizes[0].candidates == Places{0, 1, 2, 3, 4, 5});
  CHECK(sizes[1].cells == 3e4);
  CHECK(sizes[1].candidates == Places{1, 3, 4, 5});
  CHECK(sizes[2].cells == 6e4);
  CHECK(sizes[2].candidates == Places{3, 4, 5});
}

TEST_CASE("beyond its limit a cooperative candidate is estimated to take its time at the larger size",
          "[tuning][ranges]") {
  const auto sizes = sizes_between(1e4, 9e4, {{1, 3, 2e4}, {2, 2.5}});
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].cells == 2e4);
  CHECK(sizes[0].candidates == Places{0, 1});
  CHECK(sizes[1].cells == Approx(3e4));
  CHECK(sizes[1].candidates == Places{1, 0});  // 2.24 and 3
}

TEST_CASE("a size just beyond the limit of the best cooperative candidate is measured", "[tuning][ranges]") {
  // At 1e4 cells the first is the best and has no larger grid. Then the second is best, which the third
  // overtakes.
  const TimesAtTwo ends_here = {1, none, 1.02e4}, second = {1.2, 7}, third = {1.3, 6};
  const auto sizes = sizes_between(1e4, 4e4, {ends_here, second, third});
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].cells == Approx(1.01 * 1.02e4));
  CHECK(sizes[0].candidates == Places{1, 2});
  CHECK(sizes[1].cells == Approx(2e4));
  CHECK(sizes[1].candidates == Places{2, 1});  // 2.79 and 2.90
  // The middle is not measured yet if it is near that size.
  CHECK(sizes_between(1e4, 1.6e4, {ends_here, second, third}).size() == 1);
  // A slower candidate may reach its limit without loss.
  CHECK(sizes_between(1e4, 4e4, {{1.25, none, 1.02e4}, second, third}).size() == 1);
}

TEST_CASE("a candidate that others beat before its limit adds no size", "[tuning][ranges]") {
  // At 4e4 cells the non-cooperative candidate is estimated below 2.
  const auto sizes = sizes_between(1e4, 9e4, {{2, none, 4e4}, {1.5, 2.2}, {1, none, 1.2e4}});
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].cells == 1.2e4);
  CHECK(sizes[1].cells == Approx(3e4));  // the middle, not near the first size
  CHECK(sizes[1].candidates == Places{1, 0});
}

TEST_CASE("nearby limits are one size, and at most four limits are measured", "[tuning][ranges]") {
  const auto two = sizes_between(1e4, 9e4, {{1, none, 3e4}, {1.01, none, 3.01e4}, {4, 4, 9e4}});
  REQUIRE(two.size() == 1);
  CHECK(two[0].candidates == Places{0, 1, 2});
  std::vector<TimesAtTwo> many = {{8, 8, 9e4}};
  for (int n = 1; n <= 6; ++n) many.push_back({1 + 0.2 * n, none, 1e4 * (1 + n)});
  CHECK(sizes_between(1e4, 9e4, many).size() == 4);
}
