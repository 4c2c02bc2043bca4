// Measures random candidates with all samples: a quarter of them, or as many as the budget allows. The
// baseline that other strategies must beat (Bergstra and Bengio, Random search for hyper-parameter
// optimization, 2012).
#include <cmath>

#include "tuning/strategy.hpp"

namespace cfdmark::tuning {

void search_at_random(Search& search) {
  std::vector<std::size_t> order = shuffled(search);
  if (!std::isfinite(search.options().budget)) order.resize((order.size() + 3) / 4);
  search.sample(order, search.options().samples);
}

}  // namespace cfdmark::tuning
