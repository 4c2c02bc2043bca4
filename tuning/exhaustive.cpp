// Every candidate, settled: what the other strategies are measured by.
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {

void search_exhaustively(Search& search) { search.sample(shuffled(search), search.options().samples); }

}  // namespace cfdmark::tuning
