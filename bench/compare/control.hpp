// The control: the base against itself, measured and judged as the new side is.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/compare/comparison.hpp"

namespace cfdmark::compare {

// `moved`: cases in which an earlier look found the base different from itself.
Control judge_control(const std::vector<std::pair<std::string, Ratio>>& controls, const Rule& rule, int look,
                      std::set<std::string> moved);

}  // namespace cfdmark::compare
