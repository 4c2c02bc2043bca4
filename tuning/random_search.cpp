// Candidates in random order, each settled: what a strategy must beat to be worth its lines (Bergstra and
// Bengio, Random search for hyper-parameter optimization, 2012).
#include <cmath>

#include "tuning/strategy.hpp"

namespace cfdmark::tuning {

void search_at_random(Search& search) {
  std::vector<std::size_t> order = shuffled(search);
  if (!std::isfinite(search.options().budget)) order.resize((order.size() + 3) / 4);
  search.sample(order, search.options().samples);
}

}  // namespace cfdmark::tuning
