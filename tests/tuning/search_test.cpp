// Search spaces, searches and the simulation.
#include "tuning/search.hpp"

#include <map>
#include <numeric>

#include "tests/catch.hpp"
#include "tests/tuning/spaces.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

TEST_CASE("neighbours are one step away in one setting, across gaps", "[tuning][search_space]") {
  // block_y = 2 is missing for block_x = 64
  const SearchSpace space({{"plain", {{"x", 32}, {"y", 1}}},
                           {"plain", {{"x", 32}, {"y", 2}}},
                           {"plain", {{"x", 32}, {"y", 4}}},
                           {"plain", {{"x", 64}, {"y", 1}}},
                           {"plain", {{"x", 64}, {"y", 4}}},
                           {"shared", {{"x", 64}, {"y", 4}}}},
                          0);
  REQUIRE(space.neighbours(0) == std::vector<std::size_t>{1, 3});
  REQUIRE(space.neighbours(1) == std::vector<std::size_t>{0, 2});
  REQUIRE(space.neighbours(3) == std::vector<std::size_t>{0, 4});
  REQUIRE(space.neighbours(4) == std::vector<std::size_t>{2, 3, 5});
}

TEST_CASE("choices and real numbers have neighbours as integers have", "[tuning][search_space]") {
  const SearchSpace space({{"a", {{"gap", 0.5}, {"schedule", "static"}}},
                           {"a", {{"gap", 0.7}, {"schedule", "static"}}},
                           {"a", {{"gap", 1.4}, {"schedule", "static"}}},
                           {"a", {{"gap", 0.5}, {"schedule", "guided"}}}},
                          0);
  CHECK(space.neighbours(0) == std::vector<std::size_t>{1, 3});
  CHECK(space.neighbours(1) == std::vector<std::size_t>{0, 2});
  CHECK(space.neighbours(3) == std::vector<std::size_t>{0});
}

TEST_CASE("a space without candidates, with duplicates or without its default is an error",
          "[tuning][search_space]") {
  REQUIRE_THROWS_AS(SearchSpace({}, 0), std::invalid_argument);
  REQUIRE_THROWS_AS(SearchSpace({{"plain", {}}, {"plain", {}}}, 0), std::invalid_argument);
  REQUIRE_THROWS_WITH(SearchSpace({{"plain", {}}, {"plain", {}}}, 0), ContainsSubstring("plain"));
  REQUIRE_NOTHROW(SearchSpace({{"plain", {}}}, 0));
  REQUIRE_THROWS_AS(SearchSpace({{"plain", {}}}, 1), std::invalid_argument);
}

TEST_CASE("candidates are measured in groups of at most 24, each once", "[tuning][search]") {
  const SearchSpace space = shapes({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  std::vector<std::size_t> groups;
  std::map<std::size_t, int> asked;
  Search search(space,
                [&](const std::vector<std::size_t>& group, int samples, double) {
                  groups.push_back(group.size());
                  for (const std::size_t c : group) ++asked[c];
                  return std::vector<Evaluation>(
                      group.size(), Evaluation{TrialStatus::ok, "", std::vector<double>(samples, 1.0), 0, 1});
                },
                {});
  REQUIRE(search.sample(search.all(), 2));
  REQUIRE(groups == std::vector<std::size_t>{24, 24, 12});
  REQUIRE(asked.size() == 60);
  REQUIRE(search[59].samples.size() == 2);
  REQUIRE(search.spent() == 60);
}

TEST_CASE("a candidate that failed is not measured again and has no samples", "[tuning][search]") {
  const SearchSpace space = shapes({1, 2}, {1});
  int calls = 0;
  Search search(space,
                [&](const std::vector<std::size_t>& group, int, double) {
                  ++calls;
                  std::vector<Evaluation> trials(group.size(), Evaluation{TrialStatus::ok, "", {1.0}, 0, 1});
                  if (calls == 2)
                    trials.at(1) = {TrialStatus::launch_failure, "the process was killed", {}, 0, 5};
                  return trials;
                },
                {});
  search.sample({0, 1}, 1);
  search.sample({0, 1}, 1);
  search.sample({0, 1}, 1);
  REQUIRE(search[0].samples.size() == 3);
  REQUIRE(search[1].samples.empty());
  REQUIRE(search[1].status == TrialStatus::launch_failure);
  REQUIRE(search[1].measuring_seconds == 6);
  REQUIRE(search.trace().size() == 5);
  REQUIRE(search.trace().back().samples == 4);
}

TEST_CASE("a simulation sets up once, draws recorded samples, and costs what the recording cost",
          "[tuning][simulation]") {
  const std::vector<Evaluation> recorded = {{TrialStatus::ok, "", {1, 2, 3}, 10, 1.5}};
  Simulation in_order(recorded, 1, Draw::in_recorded_order);
  const Evaluation first = in_order({0}, 2, 1e9).at(0), second = in_order({0}, 2, 1e9).at(0);
  REQUIRE(first.samples == std::vector<double>{1, 2});
  REQUIRE(second.samples == std::vector<double>{3, 1});
  REQUIRE(first.setup_seconds == 10);
  REQUIRE(second.setup_seconds == 0);
  REQUIRE(second.measuring_seconds == 1);
}

TEST_CASE("a bootstrap draws each recorded sample about equally often", "[tuning][simulation]") {
  const std::vector<Evaluation> recorded = {{TrialStatus::ok, "", {1, 2, 3, 4}, 0, 4}};
  Simulation bootstrap(recorded, 5);
  std::map<double, int> drawn;
  const Evaluation trial = bootstrap({0}, 4000, 1e9).at(0);
  for (const double s : trial.samples) ++drawn[s];
  REQUIRE(drawn.size() == 4);
  for (const auto& [value, times] : drawn) CHECK(std::abs(times - 1000) < 120);
}

TEST_CASE("a simulation reports candidates beyond the time as not tried", "[tuning][simulation]") {
  const std::vector<Evaluation> recorded(3, {TrialStatus::ok, "", {1.0}, 2, 1});
  Simulation simulation(recorded, 1);
  const auto trials = simulation({0, 1, 2}, 1, 4.5);
  REQUIRE(trials.at(0).status == TrialStatus::ok);
  REQUIRE(trials.at(1).status == TrialStatus::not_tried);
  REQUIRE(trials.at(1).measuring_seconds == 1.5);
  REQUIRE(trials.at(2).status == TrialStatus::not_tried);
  REQUIRE(trials.at(2).measuring_seconds == 0);
}

TEST_CASE("random numbers below n are uniform, and shuffling keeps every value", "[tuning][random]") {
  Random random(3);
  std::vector<int> count(6, 0);
  for (int n = 0; n < 6000; ++n) ++count[random.below(6)];
  for (const int c : count) CHECK(std::abs(c - 1000) < 130);
  std::vector<int> values(50);
  std::iota(values.begin(), values.end(), 0);
  std::vector<int> mixed = values;
  random.shuffle(mixed);
  REQUIRE(mixed != values);
  std::sort(mixed.begin(), mixed.end());
  REQUIRE(mixed == values);
}
