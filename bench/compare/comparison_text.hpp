// What a comparison says, for people and for programs.
#pragma once

#include <string>

#include "bench/compare/comparison.hpp"
#include "bench/record/json.hpp"

namespace cfdmark::compare {

std::string comparison_table(const Comparison&);
// All of it, as results/README.md describes it. scripts/cfdmark/export makes the other formats of it.
Json comparison_json(const Comparison&);

// The words that the two share.
// What there is to say of a case besides its times: the reason, and what it uses more or less of. May be
// empty.
std::string remarks(const CaseComparison&);
// "1 slower, 3 undecided, 20 same"
std::string counts_text(const Comparison&);
// "regression (1 slower, 20 same)": what the exit status stands for.
std::string conclusion_text(const Comparison&);
// What the control showed; empty without one.
std::string control_text(const Comparison&);

}  // namespace cfdmark::compare
