#include "solvers/flow/shedding.hpp"

#include <cmath>
#include <numbers>

#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

// A lift that grows to an amplitude of 1 around 0.1 with period 2.5, sampled `looks_a_period` times per
// period.
Shedding of_a_sine(double periods, double looks_a_period, double slowing = 0) {
  std::vector<double> time, drag, lift;
  for (double t = 0; t <= 2.5 * periods; t += 2.5 / looks_a_period) {
    const double phase = 2 * std::numbers::pi * t / 2.5 / (1 + slowing * t);
    time.push_back(t);
    lift.push_back(0.1 + std::min(1.0, t / 5) * std::sin(phase));
    drag.push_back(3 + 0.5 * std::cos(2 * phase));
  }
  return find_shedding(time, drag, lift);
}

double strouhal_number(const Grid& grid, double courant) {
  return solve_flow("cylinder", grid, {{"reynolds", 100.0}},
                    {.solver = "piso",
                     .max_iterations = 100000,
                     .config = {{"courant", courant},
                                {"end_time", 100.0},
                                {"pressure_solver", "sor"},
                                {"pressure_sweeps", 40}}})
      .result("strouhal_number");
}

}  // namespace

TEST_CASE("the frequency of a periodic lift is found, and the largest lift and drag", "[flow]") {
  const auto found = of_a_sine(20, 40);
  REQUIRE(found);
  CHECK(found.frequency == Approx(0.4).epsilon(1e-3));
  CHECK(found.periods == 9);  // ten in the later half; the first begins before it
  CHECK(std::abs(found.frequency - 0.4) < 1e-3);
  CHECK(found.largest_lift == Approx(1.1).epsilon(1e-3));
  CHECK(found.largest_drag == Approx(3.5).epsilon(1e-3));
}

// Periods of 2.5 and 2.6 in turn: their standard deviation over an even number is 0.05 sqrt(n / (n - 1)).
TEST_CASE("the uncertainty of a frequency is the standard error of its periods", "[flow]") {
  std::vector<double> time, drag, lift;
  double begin = 0;
  for (int period = 0; period < 40; ++period) {
    const double length = period % 2 == 0 ? 2.5 : 2.6;
    for (int n = 0; n < 500; ++n) {
      time.push_back(begin + n * length / 500), drag.push_back(3);
      lift.push_back(std::sin(2 * std::numbers::pi * n / 500));
    }
    begin += length;
  }
  const Shedding found = find_shedding(time, drag, lift);
  REQUIRE(found);
  const double n = found.periods;
  CHECK(found.frequency == Approx(1 / 2.55).epsilon(2e-3));
  CHECK(found.uncertainty == Approx(found.frequency * 0.05 / 2.55 / std::sqrt(n - 1)).epsilon(0.02));
}

TEST_CASE("a lift that is not yet periodic, or sampled too rarely, has no frequency", "[flow]") {
  CHECK_THAT(of_a_sine(6, 40).lacking, ContainsSubstring("--end-time"));  // three periods in the later half
  CHECK_THAT(of_a_sine(20, 6).lacking, ContainsSubstring("check_interval"));
  CHECK_THAT(of_a_sine(20, 40, 0.02).lacking, ContainsSubstring("not periodic yet"));
  CHECK_FALSE(find_shedding({}, {}, {}));
  CHECK_FALSE(find_shedding({0, 1, 2}, {3, 3, 3}, {0, 0, 0}));
}

// Schaefer and Turek's 2D-2: 0.3018. PISO is first order in time, so two step lengths extrapolate to short
// steps: 0.271 and 0.282 here, and 0.287 with half of the shorter one (measured separately).
TEST_CASE(
    "a cylinder at Reynolds number 100 sheds vortices at the benchmark's frequency, within 5 % for short "
    "steps",
    "[flow][body]") {
  const double longer = strouhal_number({220, 41}, 0.5), shorter = strouhal_number({220, 41}, 0.25);
  CHECK(std::abs(longer - 0.3018) < 0.12 * 0.3018);
  CHECK(std::abs(shorter - 0.3018) < 0.08 * 0.3018);
  CHECK(shorter > longer);
  CHECK(std::abs(shorter + (shorter - longer) - 0.3018) < 0.05 * 0.3018);
}
