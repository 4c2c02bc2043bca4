#include <algorithm>

#include "bench/shape/optimiser.hpp"

namespace cfdmark {

const std::vector<OptimiserDescription>& optimiser_table() {
  // The least populations are pagmo's.
  static const std::vector<OptimiserDescription> table = {
      {"cmaes", "covariance matrix adaptation: the fewest evaluations on smooth objectives", 5},
      {"xnes", "exponential natural evolution strategies", 5},
      {"pso", "particle swarm, a generation at a time", 2},
      {"de", "differential evolution", 5},
      {"sade", "self-adaptive differential evolution", 7},
      {"sga", "simple genetic algorithm", 2},
      {"map", "no search: a lattice over the ranges, with `points` of each parameter", 2, false}};
  return table;
}

const OptimiserDescription* find_optimiser(const std::string& name) {
  const auto& table = optimiser_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const OptimiserDescription& o) { return o.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace cfdmark
