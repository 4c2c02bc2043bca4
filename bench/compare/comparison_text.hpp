// Formats a comparison as text for people and as JSON for programs.
#pragma once

#include <string>

#include "bench/compare/comparison.hpp"
#include "bench/text/json.hpp"

namespace cfdmark::compare {

std::string comparison_table(const Comparison&);
// Returns the JSON form that results/README.md describes. scripts/cfdmark/export derives the other formats
// from it.
Json comparison_json(const Comparison&);

// Texts that both forms share.
// Returns the reason and the changed quantities of a case; may be empty.
std::string remarks(const CaseComparison&);
// Returns, for example, "1 slower, 3 undecided, 20 same".
std::string counts_text(const Comparison&);
// Returns the meaning of the exit status, for example "regression (1 slower, 20 same)".
std::string conclusion_text(const Comparison&);
// Returns a summary of the control; empty without one.
std::string control_text(const Comparison&);

}  // namespace cfdmark::compare
