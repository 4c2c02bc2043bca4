// METIS' numbering and parts, in builds that have it.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

// Returns why this build has no METIS; empty if it has.
std::string metis_absent_reason();

// Both take the graph of cells that share a face as reverse_cuthill_mckee does. They throw
// std::invalid_argument in builds without METIS, std::runtime_error if METIS fails.

// Returns the cells in the order of a nested dissection.
std::vector<int> nested_dissection(const std::vector<int>& neighbours, int degree);
// Returns the part of each cell, 0 .. parts - 1, with few faces between parts (k-way partitioning). METIS may
// leave parts empty on small graphs.
std::vector<int> metis_parts(const std::vector<int>& neighbours, int degree, int parts);

}  // namespace cfdmark
