// Optimisers of pagmo by batches: known minima, repeatability, and the history of pagmo alone.
#include "bench/shape/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A slanted bowl with its minimum 1 at (0.7, 0.7, ...).
double bowl(const std::vector<double>& x) {
  double sum = 1;
  for (std::size_t n = 0; n < x.size(); ++n) sum += double(n + 1) * (x[n] - 0.7) * (x[n] - 0.7);
  return sum;
}

SearchBox box_of(std::size_t dimensions) {
  return {std::vector<double>(dimensions, -1), std::vector<double>(dimensions, 2),
          std::vector<double>(dimensions, 0)};
}

struct SearchHistory {
  std::vector<std::vector<std::vector<double>>> batches;
  double best = 1e300;
};

SearchHistory history_of(const OptimiserChoice& choice, std::size_t dimensions, int generations) {
  SearchHistory found;
  int generation = 0;
  optimise(
      choice, box_of(dimensions),
      [&](const std::vector<std::vector<double>>& all) {
        found.batches.push_back(all);
        std::vector<double> values;
        for (const auto& x : all) values.push_back(bowl(x)), found.best = std::min(found.best, values.back());
        return values;
      },
      [&] { return generation++ < generations; });
  return found;
}

}  // namespace

TEST_CASE("a build without pagmo says which package to install", "[optimiser]") {
  if (!optimiser_version().empty()) return;
  CHECK_THROWS_WITH(optimise({}, {}, {}, {}), ContainsSubstring("apt install libpagmo-dev"));
}

TEST_CASE("a map has every point of the lattice once, a row of the first parameter at a time, without pagmo",
          "[optimiser]") {
  const SearchHistory map = history_of({"map", 4}, 3, 1000);
  REQUIRE(map.batches.size() == 16);
  std::set<std::vector<double>> distinct;
  for (const auto& row : map.batches) {
    REQUIRE(row.size() == 4);
    for (std::size_t n = 0; n < 4; ++n)
      CHECK(row[n] == std::vector<double>{-1 + double(n), row[0][1], row[0][2]});
    distinct.insert(row.begin(), row.end());
  }
  CHECK(distinct.size() == 64);
  CHECK(distinct.count({-1, -1, -1}) + distinct.count({2, 2, 2}) + distinct.count({0, 1, 2}) == 3);
  // Of -1, 0, 1, 2 the nearest to 0.7 is 1.
  CHECK(map.best == Approx(bowl({1, 1, 1})));
  CHECK(history_of({"map", 4}, 3, 2).batches.size() == 3);
  CHECK(history_of({"map", 7}, 1, 1000).batches.size() == 1);
}

TEST_CASE("every optimiser finds the minimum of a bowl in two dimensions", "[optimiser]") {
  if (optimiser_version().empty()) return;
  for (const OptimiserDescription& optimiser : optimiser_table()) {
    if (!optimiser.needs_pagmo) continue;
    INFO(optimiser.name);
    CHECK(history_of({optimiser.name, 20, 3}, 2, 60).best < 1 + (optimiser.name == "sga" ? 1e-2 : 1e-3));
  }
}

TEST_CASE("the first candidate is the start, and the first generation lies in the box", "[optimiser]") {
  if (optimiser_version().empty()) return;
  const auto first = history_of({"cmaes", 8, 1}, 3, 1).batches.front();
  CHECK(first.size() == 8);
  CHECK(first.front() == std::vector<double>(3, 0));
  for (const auto& x : first)
    for (const double value : x) CHECK((value >= -1 && value <= 2));
}

TEST_CASE("evolution strategies propose each generation as one batch of new candidates", "[optimiser]") {
  if (optimiser_version().empty()) return;
  for (const char* name : {"cmaes", "xnes"}) {
    INFO(name);
    const SearchHistory history = history_of({name, 10, 1}, 4, 12);
    CHECK(history.batches.size() == 13);
    std::set<std::vector<double>> distinct;
    for (const auto& batch : history.batches) {
      CHECK(batch.size() == 10);
      distinct.insert(batch.begin(), batch.end());
    }
    CHECK(distinct.size() == 130);
  }
}

TEST_CASE("a seed decides the candidates", "[optimiser]") {
  if (optimiser_version().empty()) return;
  for (const OptimiserDescription& optimiser : optimiser_table()) {
    if (!optimiser.needs_pagmo) continue;
    INFO(optimiser.name);
    const SearchHistory one = history_of({optimiser.name, 10, 1}, 2, 5),
                        again = history_of({optimiser.name, 10, 1}, 2, 5),
                        other = history_of({optimiser.name, 10, 2}, 2, 5);
    CHECK(one.batches == again.batches);
    CHECK(one.batches != other.batches);
  }
}

TEST_CASE("the candidates of islands repeat, and each island proposes a generation as one batch",
          "[optimiser]") {
  if (optimiser_version().empty()) return;
  for (const char* name : {"cmaes", "pso"}) {
    INFO(name);
    const SearchHistory one = history_of({name, 8, 1, 3}, 2, 6), again = history_of({name, 8, 1, 3}, 2, 6);
    CHECK(one.batches == again.batches);
    REQUIRE(one.batches.size() == 1 + 3 * 6);
    CHECK(one.batches.front().size() == 24);
    for (const auto& batch : one.batches) CHECK(batch.size() > 1);
  }
}

TEST_CASE("the best of an island migrates, except between evolution strategies", "[optimiser]") {
  if (optimiser_version().empty()) return;
  // Candidates of the second of two islands, if the first island's first generation is better by `bonus`.
  const auto second_island = [](const char* name, double bonus) {
    std::vector<std::vector<std::vector<double>>> batches;
    int generation = 0;
    optimise(
        {name, 8, 1, 2}, box_of(2),
        [&](const std::vector<std::vector<double>>& all) {
          std::vector<double> values;
          for (std::size_t n = 0; n < all.size(); ++n)
            values.push_back(bowl(all[n]) - (batches.empty() && n < 8 ? bonus : 0));
          batches.push_back(all);
          return values;
        },
        [&] { return generation++ < 6; });
    std::vector<std::vector<std::vector<double>>> own;
    for (std::size_t n = 2; n < batches.size(); n += 2) own.push_back(batches[n]);
    return own;
  };
  CHECK(second_island("de", 0) != second_island("de", 100));
  CHECK(second_island("cmaes", 0) == second_island("cmaes", 100));
}

TEST_CASE("a search ends when the optimiser proposes nothing new", "[optimiser]") {
  if (optimiser_version().empty()) return;
  int calls = 0;
  optimise(
      {"cmaes", 6, 1}, box_of(1),
      [&](const std::vector<std::vector<double>>& all) {
        ++calls;
        return std::vector<double>(all.size(), 1.0);  // flat: the tolerance on objectives holds at once
      },
      [] { return true; });
  CHECK(calls < 20);
}
