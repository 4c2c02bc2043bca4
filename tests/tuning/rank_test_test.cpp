// The rank-sum test against published tables.
#include "tuning/rank_test.hpp"

#include <numeric>
#include <random>

#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

// Tests n values against m values, with exactly `pairs` of the n m pairs in which the first is longer.
double probability_with_pairs(std::size_t n, std::size_t m, std::size_t pairs) {
  std::vector<double> below(m), times(n);
  std::iota(below.begin(), below.end(), 1.0);
  for (double& t : times) {
    const std::size_t beaten = std::min(pairs, m);
    t = double(beaten) + 0.5;
    pairs -= beaten;
  }
  return probability_no_longer(times, below);
}

}  // namespace

TEST_CASE("complete separation has the probability of one order among all", "[tuning][rank_test]") {
  REQUIRE(probability_no_longer({4, 5, 6}, {1, 2, 3}) == Approx(1.0 / 20));
  REQUIRE(probability_no_longer({1, 2, 3}, {4, 5, 6}) == Approx(1));
  REQUIRE(probability_no_longer({5, 6, 7, 8}, {1, 2, 3, 4}) == Approx(1.0 / 70));
  REQUIRE(probability_no_longer({2}, {1}) == Approx(0.5));
  REQUIRE(probability_with_pairs(3, 20, 60) == Approx(1.0 / 1771));
}

TEST_CASE("by hand: of the 20 orders of 3 and 3 values, four have 7 pairs or more", "[tuning][rank_test]") {
  // U = 9, 8, 7, 7: from 1 2 3 | 4 5 6 by exchanging one pair of neighbours, then another
  REQUIRE(probability_no_longer({3, 5, 6}, {1, 2, 4}) == Approx(2.0 / 20));
  REQUIRE(probability_no_longer({2, 5, 6}, {1, 3, 4}) == Approx(4.0 / 20));
}

TEST_CASE("the critical values equal those of published tables of the rank-sum test", "[tuning][rank_test]") {
  // The largest U of the smaller side that is significant at 2.5 % one-sided, from textbooks.
  struct Critical {
    std::size_t n, m, u;
  };
  for (const auto& [n, m, u] :
       {Critical{4, 4, 0}, Critical{5, 5, 2}, Critical{6, 6, 5}, Critical{8, 8, 13}, Critical{10, 10, 23},
        Critical{5, 10, 8}, Critical{15, 20, 90}, Critical{20, 20, 127}}) {
    INFO(n << " and " << m << " values");
    CHECK(probability_with_pairs(n, m, n * m - u) <= 0.025);
    CHECK(probability_with_pairs(n, m, n * m - u - 1) > 0.025);
  }
}

TEST_CASE("the normal approximation continues the exact test", "[tuning][rank_test]") {
  // 50 x 50 pairs are counted, 50 x 51 approximated
  for (const std::size_t share : {52, 58, 62, 66}) {
    const double exact = probability_with_pairs(50, 50, 2500 * share / 100);
    const double approximate = probability_with_pairs(50, 51, 2550 * share / 100);
    CHECK(approximate == Approx(exact).epsilon(0.15).margin(2e-4));
  }
}

TEST_CASE("equal times favour equality, and a scale shifts the null hypothesis", "[tuning][rank_test]") {
  REQUIRE(probability_no_longer({1, 1, 1, 1}, {1, 1, 1, 1}) > 0.4);
  const std::vector<double> times = {1.05, 1.06, 1.07, 1.08}, than = {1.00, 1.01, 1.02, 1.03};
  REQUIRE(probability_no_longer(times, than) == Approx(1.0 / 70));
  REQUIRE(probability_no_longer(times, than, 1.10) == Approx(1));
  REQUIRE(probability_no_longer({}, than) == 1);
}

TEST_CASE("for equal distributions the false positive rate is at most the level", "[tuning][rank_test]") {
  std::mt19937 random(7);
  std::exponential_distribution<double> draw;
  int called = 0;
  for (int n = 0; n < 4000; ++n) {
    std::vector<double> a(6), b(12);
    for (double& x : a) x = draw(random);
    for (double& x : b) x = draw(random);
    called += probability_no_longer(a, b) <= 0.05;
  }
  REQUIRE(called <= 4000 * 0.06);
  REQUIRE(called >= 4000 * 0.03);
}
