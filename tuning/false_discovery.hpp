// Many tests at once: a level of 5 % for each of a hundred would give five false alarms.
#pragma once

#include <vector>

namespace cfdmark {

// How the tests depend on each other.
enum class Dependence {
  positive,  // each has samples of its own, or they rise and fall together
  any        // they share a machine
};

// p-values adjusted so that calling those at or below q a discovery keeps the expected share of false ones
// among all discoveries at q at most, in the order of the p-values. The step-up procedure of Y. Benjamini and
// Y. Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B 57 (1995)
// 289; for any dependence with the limits of Y. Benjamini and D. Yekutieli, Annals of Statistics 29 (2001)
// 1165, theorem 1.3.
std::vector<double> adjusted_p_values(const std::vector<double>& p, Dependence);

}  // namespace cfdmark
