// Records as Google Benchmark writes its own with --benchmark_out, for its compare.py.
#pragma once

#include <string>
#include <vector>

#include "bench/record/json.hpp"

namespace cfdmark {

// Of these cases, in this order, the samples of the last record that is ok. Throws WriteError.
void write_gbench(const std::vector<Json>& lines, const std::vector<std::string>& cases,
                  const std::string& to);

}  // namespace cfdmark
