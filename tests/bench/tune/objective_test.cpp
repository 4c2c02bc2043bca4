// Objectives other than time, on hand-made tables.
#include "bench/tune/objective.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
using Quantities = std::vector<std::optional<double>>;

// Returns times at one size; the first candidate is the default.
SizeTimes size_of(const std::vector<double>& seconds) {
  SizeTimes s;
  s.cells = 1e6;
  s.seconds = seconds;
  s.surely_faster.assign(seconds.size(), false);
  return s;
}

std::size_t chosen(const SizeTimes& s) { return choose_ranges({s}).at(0).winner; }

}  // namespace

TEST_CASE("for energy the least joules win among candidates within 25 % of the least time", "[tune][aim]") {
  // 2 takes the least energy, but 1.3 times the least time; 3 takes the least of the rest.
  const SizeTimes s =
      by_objective(size_of({1.1, 1.0, 1.3, 1.2}), Quantities{10.0, 11.0, 5.0, 8.0}, Objective::energy);
  CHECK(s.seconds == std::vector<double>{10, 11, never, 8});
  CHECK(chosen(s) == 3);
}

TEST_CASE("for energy the default stays if no candidate takes 3 % less", "[tune][aim]") {
  CHECK(chosen(by_objective(size_of({1.1, 1.0}), Quantities{10.0, 9.8}, Objective::energy)) == 0);
  CHECK(chosen(by_objective(size_of({1.1, 1.0}), Quantities{10.0, 9.6}, Objective::energy)) == 1);
}

TEST_CASE("for energy a candidate without joules is no answer, and without any the default stays",
          "[tune][aim]") {
  CHECK(chosen(by_objective(size_of({1.1, 1.0, 1.0}), Quantities{10.0, std::nullopt, 9.0},
                            Objective::energy)) == 2);
  CHECK(chosen(by_objective(size_of({1.1, 1.0}), Quantities{std::nullopt, std::nullopt},
                            Objective::energy)) == 0);
}

TEST_CASE("for memory the fastest candidate with the fewest bytes wins, however slow", "[tune][aim]") {
  const SizeTimes s =
      by_objective(size_of({1.0, 4.0, 3.0, 2.0}), Quantities{24.0, 16.0, 16.0, 20.0}, Objective::memory);
  CHECK(s.seconds == std::vector<double>{never, 4, 3, never});
  CHECK(chosen(s) == 2);
}

TEST_CASE("for memory the default stays if it has as few bytes and none is significantly faster",
          "[tune][aim]") {
  SizeTimes times = size_of({1.0, 0.9});
  CHECK(chosen(by_objective(times, Quantities{16.0, 16.0}, Objective::memory)) == 0);
  times.surely_faster[1] = true;
  CHECK(chosen(by_objective(times, Quantities{16.0, 16.0}, Objective::memory)) == 1);
}

TEST_CASE("for time the table is unchanged", "[tune][aim]") {
  CHECK(by_objective(size_of({2.0, 1.0}), Quantities{1.0, 9.0}, Objective::time).seconds ==
        std::vector<double>{2, 1});
}

TEST_CASE("an NVML energy without the seconds per step is ignored", "[tune][aim]") {
  const auto joules = [](const Json& energy) {
    return objective_quantity({{"energy", energy}}, Objective::energy);
  };
  CHECK_FALSE(joules({{"joules_per_step", 2.5}, {"source", "nvml"}}));
  CHECK(joules({{"joules_per_step", 2.5}, {"source", "nvml"}, {"seconds_per_step", 0.005}}) == 2.5);
  CHECK(joules({{"joules_per_step", 2.5}, {"source", "powercap"}}) == 2.5);
}

TEST_CASE("quantities come from the record, and an unknown objective is an error", "[tune][aim]") {
  const Json record = {{"energy", {{"joules_per_step", 2.5}}}, {"memory", {{"field_bytes", 4096}}}};
  CHECK(objective_quantity(record, Objective::energy) == 2.5);
  CHECK(objective_quantity(record, Objective::memory) == 4096);
  CHECK_FALSE(objective_quantity({{"energy", {{"reason", "no counter"}}}}, Objective::energy));
  CHECK_FALSE(objective_quantity(Json(), Objective::memory));
  for (const Objective objective : {Objective::time, Objective::energy, Objective::memory}) {
    CHECK(objective_from(std::string(to_string(objective))) == objective);
    CHECK_THROWS_WITH(objective_from("speed"),
                      ContainsSubstring("speed") && ContainsSubstring(std::string(to_string(objective))));
  }
}
