// A comparison as text, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/comparison.hpp"
#include "bench/record/json.hpp"

namespace cfdmark::compare {

std::string terminal_table(const Comparison&);
// For a comment under a change: what is worth reading first, the rest folded away.
std::string markdown(const Comparison&);
// One test case a case: a regression and a wrong answer are failures, an undecided case is skipped.
std::string junit(const Comparison&);
// Workflow commands that GitHub shows beside a change: error, warning and notice lines.
std::string github_annotations(const Comparison&);
Json comparison_json(const Comparison&);

const std::vector<std::string>& format_names();
// Throws std::invalid_argument for a name that is none of them.
std::string in_format(const Comparison&, const std::string& name);

}  // namespace cfdmark::compare
