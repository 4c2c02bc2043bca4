// METIS' numbering, in builds that have it.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

// Returns why this build has no METIS; empty if it has.
std::string metis_absent_reason();

// Returns the cells in the order of a nested dissection. Arguments as for reverse_cuthill_mckee. Throws
// std::invalid_argument in builds without METIS, std::runtime_error if METIS fails.
std::vector<int> nested_dissection(const std::vector<int>& neighbours, int degree);

}  // namespace cfdmark
