// Multiple tests: by hand, against published figures, and in simulations with known truth.
#include "tuning/false_discovery.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("the example of Benjamini and Hochberg rejects four of fifteen", "[tuning][false_discovery]") {
  const std::vector<double> adjusted =
      adjusted_p_values({0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
                         0.4262, 0.5719, 0.6528, 0.7590, 1.0000},
                        Dependence::positive);
  for (std::size_t n = 0; n < adjusted.size(); ++n) CHECK((adjusted[n] <= 0.05) == (n < 4));
  REQUIRE(adjusted_p_values({}, Dependence::positive).empty());
}

TEST_CASE("a p-value above its own limit is rejected together with larger ones below theirs",
          "[tuning][false_discovery]") {
  // step-up: 0.03 > 0.05 / 3, but 0.04 <= 0.05 * 3 / 3
  for (const double p : adjusted_p_values({0.04, 0.03, 0.035}, Dependence::positive)) CHECK(p <= 0.05);
}

TEST_CASE("p-values are adjusted for their number as computed by hand", "[tuning][false_discovery]") {
  const std::vector<double> adjusted =
      adjusted_p_values({0.001, 0.5, 0.01}, Dependence::any);  // 1 + 1/2 + 1/3 = 11/6
  REQUIRE(adjusted[0] == Approx(0.001 * 3 * 11 / 6.0));
  REQUIRE(adjusted[1] == Approx(0.5 * 11 / 6.0));
  REQUIRE(adjusted[2] == Approx(0.01 * 1.5 * 11 / 6.0));
  REQUIRE(adjusted_p_values({0.02}, Dependence::any) == std::vector<double>{0.02});
  REQUIRE(adjusted_p_values({}, Dependence::any).empty());
}

// The fifteen p-values of Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289,
// section 4.1. Their procedure rejects four at 0.05; the limits for any dependence are 3.318 times lower.
TEST_CASE("the published set of fifteen p-values has three discoveries under any dependence",
          "[tuning][false_discovery]") {
  const std::vector<double> adjusted =
      adjusted_p_values({0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
                         0.4262, 0.5719, 0.6528, 0.7590, 1.0000},
                        Dependence::any);
  REQUIRE(std::count_if(adjusted.begin(), adjusted.end(), [](double p) { return p <= 0.05; }) == 3);
  REQUIRE(adjusted[2] <= 0.05);
}

TEST_CASE("the share of false discoveries stays below its limit, also for dependent cases",
          "[tuning][false_discovery]") {
  std::mt19937_64 random(7);
  std::normal_distribution<> normal;
  const int runs = 400, cases = 60, changed = 20;
  double false_share = 0, found = 0;
  for (int run = 0; run < runs; ++run) {
    const double common = normal(random);  // common noise of a run
    std::vector<double> p;
    for (int n = 0; n < cases; ++n) {
      const double z = 0.7 * common + std::sqrt(1 - 0.49) * normal(random) + (n < changed ? 4.5 : 0);
      p.push_back(std::erfc(z / std::sqrt(2.0)) / 2);
    }
    const std::vector<double> adjusted = adjusted_p_values(p, Dependence::any);
    int right = 0, wrong = 0;
    for (int n = 0; n < cases; ++n) (n < changed ? right : wrong) += adjusted[std::size_t(n)] <= 0.05;
    false_share += double(wrong) / std::max(1, right + wrong) / runs;
    found += double(right) / changed / runs;
  }
  REQUIRE(false_share <= 0.05);
  REQUIRE(found > 0.7);
}
