// Many comparisons at once: a level of 5 % for each of a hundred cases would give five false alarms.
#pragma once

#include <vector>

namespace cfdmark {

// p-values adjusted so that calling those at or below q a discovery keeps the expected share of false ones
// among all discoveries at q at most, however the cases depend on each other (they share a machine): Y.
// Benjamini and D. Yekutieli, The control of the false discovery rate in multiple testing under dependency,
// Annals of Statistics 29 (2001) 1165, theorem 1.3. Gives them in the order of the p-values.
std::vector<double> adjusted_p_values(const std::vector<double>& p);

}  // namespace cfdmark
