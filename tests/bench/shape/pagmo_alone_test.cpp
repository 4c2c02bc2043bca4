// Pagmo's algorithms without batches, next to bench/shape/optimiser_pagmo.cpp.
#include <algorithm>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>

#include "bench/shape/optimiser.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Rosenbrock's valley.
double valley(const std::vector<double>& x) {
  const double a = x[1] - x[0] * x[0], b = 1 - x[0];
  return 100 * a * a + b * b;
}

std::vector<std::vector<double>> asked_alone;

struct Valley {
  std::vector<double> fitness(const std::vector<double>& x) const {
    asked_alone.push_back(x);
    return {valley(x)};
  }
  std::pair<std::vector<double>, std::vector<double>> get_bounds() const { return {{-2, -2}, {2, 2}}; }
};

// All candidates of 20 generations, each evolve() of one; repeated ones once.
std::vector<std::vector<double>> alone(const pagmo::algorithm& algorithm, unsigned seed) {
  asked_alone.clear();
  pagmo::population all(pagmo::problem{Valley{}}, 0, seed);
  all.push_back({-1, 1});
  while (all.size() < 12) all.push_back(all.random_decision_vector());
  for (int generation = 0; generation < 20; ++generation) all = algorithm.evolve(all);
  std::vector<std::vector<double>> distinct;
  for (const auto& x : asked_alone)
    if (std::find(distinct.begin(), distinct.end(), x) == distinct.end()) distinct.push_back(x);
  return distinct;
}

std::vector<std::vector<double>> by_batches(const std::string& name, unsigned seed) {
  std::vector<std::vector<double>> asked;
  int generation = 0;
  optimise(
      {name, 12, seed}, {{-2, -2}, {2, 2}, {-1, 1}},
      [&](const std::vector<std::vector<double>>& all) {
        std::vector<double> values;
        for (const auto& x : all) asked.push_back(x), values.push_back(valley(x));
        return values;
      },
      [&] { return generation++ < 20; });
  return asked;
}

}  // namespace

TEST_CASE("batches change no candidate of cmaes", "[optimiser]") {
  for (const unsigned seed : {1u, 7u})
    CHECK(
        by_batches("cmaes", seed) ==
        alone(pagmo::algorithm{pagmo::cmaes(1, -1, -1, -1, -1, 0.25, 1e-9, 1e-9, true, false, seed)}, seed));
}

TEST_CASE("batches change no candidate of differential evolution", "[optimiser]") {
  CHECK(by_batches("de", 5) == alone(pagmo::algorithm{pagmo::de(1, 0.8, 0.9, 2, 1e-9, 1e-9, 5)}, 5));
}
