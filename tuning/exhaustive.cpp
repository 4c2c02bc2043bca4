// Measures every candidate with all samples. The reference for the other strategies.
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {

void search_exhaustively(Search& search) { search.sample(shuffled(search), search.options().samples); }

}  // namespace cfdmark::tuning
