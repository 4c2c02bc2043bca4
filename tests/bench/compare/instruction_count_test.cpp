// Retired instructions: counted where the machine can, otherwise with a reason.
#include "bench/measure/instruction_count.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

void loop(int times) {
  [[maybe_unused]] volatile int kept = 0;
  for (int n = 0; n < times; ++n) kept = n;
}

}  // namespace

TEST_CASE("a loop of twice the length retires twice the instructions, where they can be counted",
          "[compare]") {
  Backend& serial = backend(BackendKind::serial);
  int resets = 0;
  const Json once = count_instructions(
      {.backend = &serial, .step = [] { loop(1'000'000); }, .reset = [&] { ++resets; }, .seconds = 0.01});
  const Json twice =
      count_instructions({.backend = &serial, .step = [] { loop(2'000'000); }, .seconds = 0.01});
  REQUIRE(once.contains("reason") != once.contains("per_step"));
  if (once.contains("reason")) {
    REQUIRE_FALSE(once["reason"].get<std::string>().empty());
    return;
  }
  REQUIRE(resets == 1);
  REQUIRE(once["per_step"] >= 2'000'000);  // store, add and jump in each iteration
  REQUIRE(twice["per_step"].get<double>() / once["per_step"].get<double>() == Approx(2).epsilon(0.01));
}

TEST_CASE("steps of several threads and long steps are not repeated to count instructions", "[compare]") {
  const auto never = [] { FAIL("must not run"); };
  REQUIRE(count_instructions({.backend = &backend(BackendKind::serial), .step = never, .seconds = 10})
              .contains("reason"));
  if (!unavailable_reason(BackendKind::openmp).empty()) return;
  REQUIRE(count_instructions({.backend = &backend(BackendKind::openmp), .step = never, .seconds = 0.01})
              .contains("reason"));
}
