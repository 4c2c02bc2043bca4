// Correction for multiple tests: a level of 5 % for each of a hundred tests would give five false alarms.
#pragma once

#include <vector>

namespace cfdmark {

// Dependence between the tests.
enum class Dependence {
  positive,  // independent samples, or positively correlated ones
  any        // arbitrary, as for tests that share a machine
};

// Returns adjusted p-values in the order given. Rejecting those at or below q keeps the expected share of
// false discoveries at most q. The step-up procedure of Y. Benjamini and Y. Hochberg, Controlling the false
// discovery rate, Journal of the Royal Statistical Society B 57 (1995) 289; for arbitrary dependence with the
// limits of Y. Benjamini and D. Yekutieli, Annals of Statistics 29 (2001) 1165, theorem 1.3.
std::vector<double> adjusted_p_values(const std::vector<double>& p, Dependence);

}  // namespace cfdmark
