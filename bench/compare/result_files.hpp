// Reads a side of a comparison: a file of results, or a folder of them.
#pragma once

#include <string>

#include "bench/compare/side.hpp"

namespace cfdmark::compare {

// Reads records, or JSON of Google Benchmark or nvbench by means of Python. Each *.json and *.jsonl of a
// folder counts as one process, in the order of their names. `time` is the time of Google Benchmark that
// counts: auto (its own choice), cpu or real.
// Throws std::invalid_argument if one of the files has nothing to compare, std::runtime_error if a file
// cannot be read.
Side side_of(const std::string& path, const std::string& time);

}  // namespace cfdmark::compare
