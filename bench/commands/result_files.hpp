// A side of a comparison as it is given: a file of results, or a folder of them.
#pragma once

#include <string>

#include "bench/compare/side.hpp"

namespace cfdmark {

// A file holds records, or is JSON of Google Benchmark or nvbench, which Python reads. Each *.json and
// *.jsonl of a folder counts as one process, numbered by their names. Throws std::invalid_argument if there
// is nothing to compare in one of them, std::runtime_error if a file cannot be read.
//
// `time`: which of Google Benchmark's times counts: auto (the one that it goes by itself), cpu or real.
compare::Side side_of(const std::string& path, const std::string& time);

}  // namespace cfdmark
