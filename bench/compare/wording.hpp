// The words that every format of a comparison shares.
#pragma once

#include <string>

#include "bench/compare/comparison.hpp"

namespace cfdmark::compare {

std::string change_text(const Ratio&);    // "+5.2 %"
std::string interval_text(const Ratio&);  // "+4.1 to +6.3 %"
// What there is to say of a case besides its times: the reason, and what it uses more or less of. May be
// empty.
std::string remarks(const CaseComparison&);
// "1 slower, 3 undecided, 20 same"
std::string counts_text(const Comparison&);
// "regression: ...": what the exit status stands for.
std::string conclusion_text(const Comparison&);
// What the control showed; empty without one.
std::string control_text(const Comparison&);

}  // namespace cfdmark::compare
