// Summarises a run in a few lines.
#pragma once

#include <string>
#include <vector>

#include "bench/record/record.hpp"

namespace cfdmark {

// Returns the fastest method of each solver and kernel on its largest grid, the memory-bound case with the
// smallest share of the roof (memory bandwidth), and the failures. Expects one record per case. Empty if
// there is nothing to report.
std::string findings_text(const std::vector<Record>& records);

}  // namespace cfdmark
