#include "kernels/core/statistics.hpp"

#include <cmath>
#include <numeric>
#include <random>

#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("the median is the middle value, or the mean of the two middle ones", "[statistics]") {
  REQUIRE(median({3}) == 3);
  REQUIRE(median({5, 1, 3}) == 3);
  REQUIRE(median({4, 1, 3, 2}) == 2.5);
  REQUIRE(median({1, 1, 1, 1000}) == 1);
  REQUIRE_THROWS_WITH(median({}), ContainsSubstring("at least one value"));
}

TEST_CASE("the ranks of the median's interval match binomial tables", "[statistics]") {
  struct Expected {
    std::size_t n, low, high;
    double confidence;
  };
  // 1 - 2 * sum of C(n, k) / 2^n for k below the lower rank
  const Expected table[] = {{6, 1, 6, 0.96875},   {8, 1, 8, 0.9921875},  {9, 2, 8, 0.9609375},
                            {10, 2, 9, 0.978516}, {20, 6, 15, 0.958611}, {30, 10, 21, 0.957226}};
  for (const Expected& e : table) {
    INFO("n = " << e.n);
    const MedianRanks ranks = median_ranks(e.n);
    CHECK(ranks.low == e.low);
    CHECK(ranks.high == e.high);
    CHECK(ranks.confidence == Approx(e.confidence).epsilon(1e-5));
  }
}

TEST_CASE("too few samples give their range and its low confidence", "[statistics]") {
  REQUIRE(median_ranks(1).confidence == Approx(0).margin(1e-12));
  REQUIRE(median_ranks(2).confidence == Approx(0.5));
  REQUIRE(median_ranks(5).low == 1);
  REQUIRE(median_ranks(5).high == 5);
  REQUIRE(median_ranks(5).confidence == Approx(0.9375));
}

TEST_CASE("many samples neither overflow nor lose the interval", "[statistics]") {
  const MedianRanks ranks = median_ranks(1000);
  REQUIRE(ranks.low == 469);  // 500.5 - 1.96 * sqrt(1000) / 2, outwards
  REQUIRE(ranks.high == 532);
  REQUIRE(ranks.confidence == Approx(0.953709).epsilon(1e-5));
  REQUIRE(median_ranks(10000).low == 4902);  // 2^-10000 underflows a double
}

TEST_CASE("the interval is made of order statistics", "[statistics]") {
  std::vector<double> values(10);
  std::iota(values.begin(), values.end(), 1);
  std::shuffle(values.begin(), values.end(), std::mt19937(1));
  const MedianInterval interval = median_interval(values);
  REQUIRE(interval.median == 5.5);
  REQUIRE(interval.low == 2);
  REQUIRE(interval.high == 9);
  REQUIRE(interval.relative_half_width() == Approx(3.5 / 5.5));
}

TEST_CASE("the interval of several processes spans all of theirs, and each process counts the same",
          "[statistics]") {
  const MedianInterval two = median_interval({{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {20, 20, 20}});
  REQUIRE(two.median == (5.5 + 20) / 2);
  REQUIRE(two.low == 2);
  REQUIRE(two.high == 20);
  REQUIRE(two.confidence == 0.75);  // from three samples
  REQUIRE(median_interval(ProcessSamples{{1, 1, 1}, {3, 3, 3}, {8, 8, 8}}).median == 3);
  REQUIRE_THROWS_AS(median_interval(ProcessSamples{}), std::invalid_argument);
}

TEST_CASE("the interval encloses the true median as often as it claims", "[statistics]") {
  std::mt19937 random(7);
  std::exponential_distribution<double> skewed(1);  // its median is ln 2
  int enclosed = 0;
  for (int run = 0; run < 4000; ++run) {
    std::vector<double> samples(20);
    for (double& s : samples) s = skewed(random);
    const MedianInterval interval = median_interval(samples);
    enclosed += interval.low <= std::log(2) && std::log(2) <= interval.high;
  }
  REQUIRE(enclosed / 4000.0 == Approx(median_ranks(20).confidence).margin(0.015));
}
