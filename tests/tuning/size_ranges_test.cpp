// Ranges of sizes and their answers, on tables of times computed by hand.
#include "tuning/size_ranges.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tuning/rules.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

// Returns a square grid with `side` cells per side. Candidate 0 is the default; others are significantly
// faster if they take at most 0.98 of its time.
SizeTimes square(double side, std::vector<double> seconds, double filled = 0) {
  SizeTimes s{side * side, filled, std::move(seconds), 0, {}, 1};
  for (const double t : s.seconds) s.surely_faster.push_back(t <= 0.98 * s.seconds[0]);
  return s;
}

// Returns "0..1: 2" per range: sizes and winner.
std::string text(const std::vector<SizeRange>& ranges) {
  std::string all;
  for (const SizeRange& r : ranges)
    all += (all.empty() ? "" : ", ") + std::to_string(r.first) + ".." + std::to_string(r.last) + ": " +
           std::to_string(r.winner);
  return all;
}

}  // namespace

TEST_CASE("sizes share a range while one candidate is within 3 % of the best at all of them",
          "[tuning][ranges]") {
  // Candidate 3 is never the best, and within 3 % of it everywhere.
  const auto joined =
      choose_ranges({square(256, {2, 1.00, 1.20, 1.015}), square(512, {2, 1.10, 1.00, 1.029})});
  REQUIRE(text(joined) == "0..1: 3");
  CHECK(joined[0].regret == Approx(1.029));
  CHECK(joined[0].mean_regret == Approx(std::sqrt(1.015 * 1.029)));
  CHECK(joined[0].rule == rules::least_worst_regret);

  const auto apart = choose_ranges({square(256, {2, 1.00, 1.20, 1.015}), square(512, {2, 1.10, 1.00, 1.04})});
  REQUIRE(text(apart) == "0..0: 1, 1..1: 2");
  CHECK(apart[0].regret == 1);
  CHECK(apart[0].rule == rules::fastest);
}

TEST_CASE("among equally few ranges those with the least worst regret are chosen", "[tuning][ranges]") {
  // 1 suits the first three sizes with a regret of 1.029, the first two with 1; 2 suits the last two with 1.
  const auto ranges = choose_ranges({square(256, {2, 1, 1.5}), square(512, {2, 1, 1.5}),
                                     square(1024, {2, 1.029, 1}), square(2048, {2, 1.5, 1})});
  REQUIRE(text(ranges) == "0..1: 1, 2..3: 2");
  CHECK(ranges[0].regret == 1);
  CHECK(ranges[1].regret == 1);
}

TEST_CASE("an answer is nowhere slower than the default", "[tuning][ranges]") {
  // 1 is 20 % faster at the first size and 1 % slower at the second, which is within 3 %.
  REQUIRE(text(choose_ranges({square(256, {1.2, 1}), square(512, {1, 1.01})})) == "0..0: 1, 1..1: 0");
  // Half of the smallest effect counts as equal.
  REQUIRE(text(choose_ranges({square(256, {1.2, 1}), square(512, {1, 1.004})})) == "0..1: 1");
}

TEST_CASE("a candidate that is nowhere significantly faster than the default is no answer",
          "[tuning][ranges]") {
  REQUIRE(text(choose_ranges({square(256, {1, 0.985}), square(512, {1, 0.99})})) == "0..1: 0");
  const auto noisy = choose_ranges({square(256, {1, 0.9})});
  REQUIRE(text(noisy) == "0..0: 1");
  SizeTimes unsure = square(256, {1, 0.9});
  unsure.surely_faster[1] = false;
  const auto kept = choose_ranges({unsure});
  REQUIRE(text(kept) == "0..0: 0");
  CHECK(kept[0].regret == Approx(1 / 0.9));
  CHECK(kept[0].rule == rules::none_faster);
}

TEST_CASE("a default within tolerance of the best has a rule of its own", "[tuning][ranges]") {
  // 1 is significantly faster at the second size, by 2 %, and 1 % slower at the first.
  const auto ranges = choose_ranges({square(256, {1, 1.01}), square(512, {1, 0.98})});
  REQUIRE(text(ranges) == "0..1: 0");
  CHECK(ranges[0].rule == rules::default_near_best);
}

TEST_CASE("a gain below 5 % does not win if the loss at the next size is larger", "[tuning][ranges]") {
  const auto middle_of = [](double below, double middle, double above) {
    return choose_ranges({square(256, {1, below}), square(362, {1, middle}), square(512, {1, above})});
  };
  // A gain of 4.2 % in the middle and a loss of 6 % above: half way it would be 1 % slower.
  const auto risky = middle_of(1.03, 0.96, 1.06);
  REQUIRE(text(risky) == "0..0: 0, 1..1: 0, 2..2: 0");
  CHECK(risky[1].regret == Approx(1 / 0.96));
  CHECK(risky[1].rule == rules::loses_next_to_range);
  CHECK(risky[2].rule == rules::none_faster);
  REQUIRE(text(middle_of(1.06, 0.96, 1.03)) == "0..0: 0, 1..1: 0, 2..2: 0");
  REQUIRE(text(middle_of(1.03, 0.96, 1.03)) == "0..0: 0, 1..1: 1, 2..2: 0");
  REQUIRE(text(middle_of(1.03, 0.95, 1.06)) == "0..0: 0, 1..1: 1, 2..2: 0");
  REQUIRE(text(middle_of(1.03, 0.96, none)) == "0..0: 0, 1..1: 1, 2..2: 0");  // the loss is unknown
  // The end of the range counts: here the first size, without a gain.
  REQUIRE(text(middle_of(1.00, 0.96, 1.03)) == "0..1: 1, 2..2: 0");
  REQUIRE(text(choose_ranges({square(256, {1, 1.03}), square(362, {1, 1}), square(512, {1, 0.96})})) ==
          "0..1: 0, 2..2: 1");
  // A size without a near neighbour has no half way point.
  REQUIRE(text(choose_ranges({square(256, {1, 0.96}), square(2048, {1, 1.06})})) == "0..0: 1, 1..1: 0");
  REQUIRE(text(choose_ranges({square(256, {1, 0.96})})) == "0..0: 1");
}

TEST_CASE("a default that differs by size is compared at each size", "[tuning][ranges]") {
  // The default is 0 at the first size and 1 at the second: nothing is faster than either.
  SizeTimes second = square(512, {1.5, 1});
  second.fallback = 1, second.surely_faster = {false, false};
  REQUIRE(text(choose_ranges({square(256, {1, 1.5}), second})) == "0..0: 0, 1..1: 1");
}

TEST_CASE("among equal candidates the one that is best next to the range wins", "[tuning][ranges]") {
  // 1 and 2 tie at the first size. At the second, with another winner, 2 is better.
  const auto ranges = choose_ranges({square(256, {2, 1, 1.001, 3}), square(512, {2, 1.4, 1.1, 1})});
  REQUIRE(text(ranges) == "0..0: 2, 1..1: 3");
  // A size in another cache regime does not count.
  REQUIRE(text(choose_ranges({square(256, {2, 1, 1.001, 3}, 0.1), square(512, {2, 1.4, 1.1, 1}, 1)})) ==
          "0..0: 1, 1..1: 3");
}

TEST_CASE("cache regimes are never joined, and meet where the working set leaves one", "[tuning][ranges]") {
  // Working sets of 0.1, 0.4 | 1.6 | 6.4 times the cache: one candidate is the best everywhere.
  const auto ranges = choose_ranges({square(256, {2, 1}, 0.1), square(512, {2, 1}, 0.4),
                                     square(1024, {2, 1}, 1.6), square(2048, {2, 1}, 6.4)});
  REQUIRE(text(ranges) == "0..1: 1, 2..2: 1, 3..3: 1");
  CHECK(ranges[0].most_cells == Approx(512 * 512 * 0.5 / 0.4));
  CHECK(ranges[1].least_cells == ranges[0].most_cells);
  CHECK(ranges[1].most_cells == Approx(1024 * 1024 * 2 / 1.6));
  // From cache to memory in one step: the boundary is a working set as large as the cache.
  const auto step = choose_ranges({square(512, {2, 1}, 0.4), square(1024, {2, 1}, 2.4)});
  CHECK(step[0].most_cells == Approx(512 * 512 / 0.4));
}

TEST_CASE("ranges meet at the geometric mean of their sizes and end a margin beyond the last",
          "[tuning][ranges]") {
  const auto ranges = choose_ranges({square(256, {2, 1, 3}), square(1024, {2, 3, 1})});
  REQUIRE(text(ranges) == "0..0: 1, 1..1: 2");
  CHECK(ranges[0].least_cells == Approx(256 * 256 / 1.25));
  CHECK(ranges[0].most_cells == Approx(512 * 512));
  CHECK(ranges[1].least_cells == Approx(512 * 512));
  CHECK(ranges[1].most_cells == Approx(1024 * 1024 * 1.25));
}

TEST_CASE("sizes too far apart share no range, and no range covers the gap", "[tuning][ranges]") {
  const auto ranges = choose_ranges({square(100, {2, 1}), square(500, {2, 1})});
  REQUIRE(text(ranges) == "0..0: 1, 1..1: 1");
  CHECK(ranges[0].most_cells == Approx(10000 * 1.25));
  CHECK(ranges[1].least_cells == Approx(250000 / 1.25));
  REQUIRE(text(choose_ranges({square(100, {2, 1}), square(400, {2, 1})})) == "0..1: 1");
}

TEST_CASE("a candidate without a time at a size does not answer there", "[tuning][ranges]") {
  REQUIRE(text(choose_ranges({square(256, {2, 1, 1.01}), square(512, {2, none, 1})})) == "0..1: 2");
  REQUIRE(text(choose_ranges({square(256, {2, 1, none}), square(512, {2, none, 1})})) == "0..0: 1, 1..1: 2");
  // Without a time of the default any candidate with a time is faster.
  REQUIRE(text(choose_ranges({square(256, {none, 2, 1})})) == "0..0: 2");
  CHECK_THROWS_AS(choose_ranges({square(256, {none, none})}), std::invalid_argument);
}

TEST_CASE("one answer for all sizes has the least weighted geometric mean of regrets", "[tuning][ranges]") {
  // Regrets of 1: 1 and 1.5; of 2: 1.2 and 1.
  std::vector<SizeTimes> sizes = {square(64, {4, 1, 1.2}), square(8192, {4, 1.5, 1})};
  const auto equal = choose_one(sizes);
  REQUIRE(text(equal) == "0..1: 2");
  CHECK(equal[0].mean_regret == Approx(std::sqrt(1.2)));
  CHECK(equal[0].regret == Approx(1.2));
  CHECK(equal[0].least_cells == Approx(64 * 64 / 1.25));
  CHECK(equal[0].most_cells == Approx(8192 * 8192 * 1.25));
  sizes[0].weight = 3;  // 1.5 ^ (1/4) = 1.107, 1.2 ^ (3/4) = 1.147
  const auto weighted = choose_one(sizes);
  REQUIRE(text(weighted) == "0..1: 1");
  CHECK(weighted[0].mean_regret == Approx(std::pow(1.5, 0.25)));
}

TEST_CASE("one answer that is not better than the defaults is replaced by them", "[tuning][ranges]") {
  SizeTimes large = square(512, {1.5, 1, 1.2});
  large.fallback = 1, large.surely_faster = {false, false, false};
  const auto ranges = choose_one({square(128, {1, 1.5, 1.2}), square(256, {1, 1.5, 1.2}), large});
  REQUIRE(text(ranges) == "0..1: 0, 2..2: 1");
}

TEST_CASE("candidates to confirm have the least worst regret of a run of sizes that may share an answer",
          "[tuning][ranges]") {
  // 1 and 2 are the best at single sizes, 3 over both; the last size is in another regime, with winner 4.
  const std::vector<SizeTimes> sizes = {square(256, {9, 1, 2, 1.1, 5, 5}, 0.1),
                                        square(512, {9, 2, 1, 1.1, 5, 5}, 0.4),
                                        square(1024, {9, 9, 9, 9, 1, 1.01}, 1.6)};
  REQUIRE(finalists(sizes, false) == std::vector<std::size_t>{1, 2, 3, 4});
  std::vector<SizeTimes> weighted = sizes;
  weighted[2].weight = 100, weighted[2].seconds[5] = 1.0001;
  for (SizeTimes& s : weighted) s.seconds[5] = std::min(s.seconds[5], 4.0);
  REQUIRE(finalists(weighted, true) == std::vector<std::size_t>{1, 2, 3, 4, 5});
}

TEST_CASE("tables with different candidates are an error", "[tuning][ranges]") {
  CHECK(choose_ranges({}).empty());
  CHECK_THROWS_AS(choose_ranges({square(256, {2, 1}), square(512, {2})}), std::invalid_argument);
}
