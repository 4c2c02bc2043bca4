// Limits of series of known form, and the decision to stop a flow.
#include "bench/shape/early_stop.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// limit + amplitude ratio^n for n = 0 .. looks - 1.
std::vector<double> geometric(double limit, double amplitude, double ratio, int looks) {
  std::vector<double> values;
  for (int n = 0; n < looks; ++n) values.push_back(limit + amplitude * std::pow(ratio, n));
  return values;
}

}  // namespace

TEST_CASE("the limit of a geometric series is exact, whatever the spacing", "[shape][stop]") {
  for (const std::size_t spacing : {1, 2, 5}) {
    const auto found = limit_of(geometric(3, -2, 0.8, 20), spacing);
    REQUIRE(found);
    CHECK(found->value == Approx(3).epsilon(1e-12));
    CHECK(found->width < 1e-12);
  }
}

TEST_CASE("a series that oscillates, diverges, is too slow or too short has no limit", "[shape][stop]") {
  CHECK(!limit_of(geometric(3, -2, -0.5, 20), 1));
  CHECK(!limit_of(geometric(3, -2, 1.2, 20), 1));
  CHECK(!limit_of(geometric(3, -2, 0.95, 20), 1));
  CHECK(!limit_of(geometric(3, -2, 0.8, 4), 1));
  CHECK(!limit_of(geometric(3, -2, 0.8, 20), 0));
  CHECK(!limit_of(std::vector<double>(20, 3.0), 1));
}

TEST_CASE("the width covers the error of a series of two parts", "[shape][stop]") {
  std::vector<double> values;
  for (int n = 0; n < 30; ++n) values.push_back(3 - 2 * std::pow(0.85, n) + std::pow(0.6, n));
  const auto found = limit_of(values, 6);
  REQUIRE(found);
  CHECK(std::abs(found->value - 3) <= 3 * found->width);
  CHECK(found->width < 0.1);
}

TEST_CASE("a flow is stopped only if its limit exceeds the threshold by the margin", "[shape][stop]") {
  const StopDecision decision({.is_on = true, .margin = 0.01}, 3);
  CHECK(!decision.bound(geometric(3.02, -1, 0.8, 30)));
  CHECK(!decision.bound(geometric(2.9, 2, 0.8, 30)));
  const auto bound = decision.bound(geometric(3.1, -1, 0.8, 30));
  REQUIRE(bound);
  CHECK(*bound == Approx(3.1).epsilon(1e-6));
  // Before: six looks, of which three in a row need a limit.
  CHECK(!decision.bound(geometric(3.1, -1, 0.8, 6)));
}

TEST_CASE("the audit takes its share of all names, always the same ones", "[shape][stop]") {
  const StopDecision decision({.is_on = true, .audit = 0.1}, 3), none({.is_on = true, .audit = 0}, 3),
      all({.is_on = true, .audit = 1}, 3);
  int audited = 0;
  for (int n = 0; n < 10000; ++n) {
    const std::string name = "candidate " + std::to_string(n);
    audited += decision.is_audited(name);
    CHECK(decision.is_audited(name) == decision.is_audited(name));
    CHECK(!none.is_audited(name));
    CHECK(all.is_audited(name));
  }
  CHECK(audited > 900);
  CHECK(audited < 1100);
}
