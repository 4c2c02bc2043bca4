// Our records in the format that Google Benchmark writes with --benchmark_out, so that its compare.py reads
// them.
#pragma once

#include <string>
#include <vector>

#include "bench/record/json.hpp"

namespace cfdmark {

// One entry a sample of the last ok record of each case. There is no CPU time: its place holds the measured
// time.
Json gbench_json(const std::vector<Json>& lines, const std::vector<std::string>& cases);

// Writes it. Throws WriteError.
void write_gbench_json(const std::vector<Json>& lines, const std::vector<std::string>& cases,
                       const std::string& to);

}  // namespace cfdmark
