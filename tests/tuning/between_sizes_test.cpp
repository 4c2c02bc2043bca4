// What is measured between two sizes, on tables of times that are worked out by hand.
#include "tuning/between_sizes.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();
using Places = std::vector<std::size_t>;

}  // namespace

TEST_CASE("between sizes whose answers part the middle is measured, by what is expected to be fast there",
          "[tuning][ranges]") {
  // From 1e4 to 9e4 cells. At 3e4 cells, in the middle of the logarithms, a time is the geometric mean of
  // both.
  const auto sizes = sizes_between(1e4, 9e4, {{1, 16}, {2, 4}, {4, 9}, {1.9, none}, {none, 4.1}});
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0].cells == Approx(3e4));
  // 4, sqrt(8) and 6; the best line passes through 2: one 1.9 times as slow as the best below is expected to
  // take 3.8, one that is 1.025 times as slow above 2.05.
  CHECK(sizes[0].candidates == Places{4, 1, 3, 0, 2});
}

TEST_CASE("where one candidate is near enough to the best at both sizes nothing between them is measured",
          "[tuning][ranges]") {
  CHECK(sizes_between(1e4, 9e4, {{1.015, 4.06}, {1, 8}, {2, 4}}).empty());
  CHECK(sizes_between(1e4, 9e4, {{1.03, 4.06}, {1, 8}, {2, 4}}).size() == 1);
  CHECK(sizes_between(1e4, 1.2e4, {{1, 8}, {2, 4}}).empty());  // too near each other
  CHECK(sizes_between(1e4, 17e4, {{1, 8}, {2, 4}}).empty());   // too far
}

TEST_CASE(
    "between sizes far apart one that cuts large tiles says nothing of the middle, unless its blocks wait",
    "[tuning][ranges]") {
  const auto suits_both = [](bool tiles, double end) { return TimesAtTwo{1, 4, end, tiles}; };
  const TimesAtTwo other = {1.1, 4.5};
  CHECK(sizes_between(1e4, 4e4, {suits_both(true, none), other}).size() == 1);
  CHECK(sizes_between(1e4, 4e4, {suits_both(false, none), other}).empty());
  CHECK(sizes_between(1e4, 4e4, {suits_both(true, 4e4), other}).empty());
  CHECK(sizes_between(1e4, 2e4, {suits_both(true, none), other}).empty());  // which are not so far apart
  // One that makes a step and is as good at both sizes will do between them, whatever others do.
  CHECK(sizes_between(1e4, 4e4, {suits_both(true, none), {1.015, 4.06}}).empty());
}

TEST_CASE("what may not answer both sizes says nothing of the middle, though it suits both",
          "[tuning][ranges]") {
  TimesAtTwo suits_both = {1, 4};
  const TimesAtTwo fallback = {1, 4.3};
  CHECK(sizes_between(1e4, 4e4, {fallback, suits_both}).empty());
  suits_both.may_answer_both = false;
  const auto sizes = sizes_between(1e4, 4e4, {fallback, suits_both});
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0].cells == Approx(2e4));
  CHECK(sizes[0].candidates == Places{1, 0});
  // A default that suits both answers both.
  CHECK(sizes_between(1e4, 4e4, {{1, 4.06}, suits_both}).empty());
}

TEST_CASE("at an edge something is measured though one candidate suits both sizes", "[tuning][ranges]") {
  const std::vector<TimesAtTwo> one_suits = {{1, 4}, {1, 8}, {2, 4}};
  const auto sizes = sizes_between(1e4, 9e4, one_suits, {1.5e4, 5e4, 1e4, 9.5e4});
  REQUIRE(sizes.size() == 3);  // 1e4 and 9.5e4 do not lie between them; the middle, 3e4, is near no edge
  CHECK(sizes[0].cells == Approx(1.5e4));
  CHECK(sizes[1].cells == Approx(3e4));
  CHECK(sizes[2].cells == Approx(5e4));
  CHECK(sizes_between(1e4, 9e4, one_suits, {2.5e4}).size() == 1);  // which the middle is near
  CHECK(sizes_between(1e4, 1.2e4, one_suits, {1.1e4}).empty());    // too near each other
}

TEST_CASE(
    "of candidates whose blocks wait each is measured on the largest grid that only slower ones fit beyond",
    "[tuning][ranges]") {
  // Each takes as long on every grid that it fits: the third is never the fastest, since the second takes
  // less on more cells. The fifth fits everywhere, and is known at the larger size too. The last does not
  // wait.
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

TEST_CASE("beyond its end a candidate whose blocks wait is expected to take as long as at the larger size",
          "[tuning][ranges]") {
  const auto sizes = sizes_between(1e4, 9e4, {{1, 3, 2e4}, {2, 2.5}});
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].cells == 2e4);
  CHECK(sizes[0].candidates == Places{0, 1});
  CHECK(sizes[1].cells == Approx(3e4));
  CHECK(sizes[1].candidates == Places{1, 0});  // 2.24 and 3
}

TEST_CASE("just beyond the size at which the best one's blocks are as many as may wait something is measured",
          "[tuning][ranges]") {
  // At 1e4 cells the first is the best, and fits no larger grid; then the second, that falls behind the
  // third.
  const TimesAtTwo ends_here = {1, none, 1.02e4}, second = {1.2, 7}, third = {1.3, 6};
  const auto sizes = sizes_between(1e4, 4e4, {ends_here, second, third});
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].cells == Approx(1.01 * 1.02e4));
  CHECK(sizes[0].candidates == Places{1, 2});
  CHECK(sizes[1].cells == Approx(2e4));
  CHECK(sizes[1].candidates == Places{2, 1});  // 2.79 and 2.90
  // The middle waits for a second look where it is near that size.
  CHECK(sizes_between(1e4, 1.6e4, {ends_here, second, third}).size() == 1);
  // What is slower there ends without a loss.
  CHECK(sizes_between(1e4, 4e4, {{1.25, none, 1.02e4}, second, third}).size() == 1);
}

TEST_CASE("a candidate that others beat before its end asks for no size of its own", "[tuning][ranges]") {
  // At 4e4 cells the one that does not wait is expected to take less than 2.
  const auto sizes = sizes_between(1e4, 9e4, {{2, none, 4e4}, {1.5, 2.2}, {1, none, 1.2e4}});
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].cells == 1.2e4);
  CHECK(sizes[1].cells == Approx(3e4));  // the middle, which the first size is not near
  CHECK(sizes[1].candidates == Places{1, 0});
}

TEST_CASE("ends beside each other are one size, and no more than four are measured", "[tuning][ranges]") {
  const auto two = sizes_between(1e4, 9e4, {{1, none, 3e4}, {1.01, none, 3.01e4}, {4, 4, 9e4}});
  REQUIRE(two.size() == 1);
  CHECK(two[0].candidates == Places{0, 1, 2});
  std::vector<TimesAtTwo> many = {{8, 8, 9e4}};
  for (int n = 1; n <= 6; ++n) many.push_back({1 + 0.2 * n, none, 1e4 * (1 + n)});
  CHECK(sizes_between(1e4, 9e4, many).size() == 4);
}
