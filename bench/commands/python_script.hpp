// Commands of the Python package in scripts/cfdmark; its commands.py lists them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/record/json.hpp"

namespace cfdmark {

// `python3 scripts/cfdmark NAME ARGUMENTS`: of the installed program, or of the sources it was built from. The Python
// is $CFDMARK_PYTHON, or else python3 on the path or in /usr/bin. Throws std::runtime_error if there is none.
std::vector<std::string> script_command(const std::string& name, const std::vector<std::string>& arguments);

// Runs it to its end, with `input`, if there is any, on its standard input; returns its exit status. Throws
// std::runtime_error if it cannot be started.
int run_script(const std::string& name, const std::vector<std::string>& arguments,
               const std::string& input = "");

// Writes records as Google Benchmark writes its own with --benchmark_out, for its compare.py: of these cases,
// in this order, the samples of the last record that is ok. `format`: gbench, or smaller-is-better for
// github-action-benchmark. Throws WriteError.
void write_gbench(const std::vector<Json>& lines, const std::vector<std::string>& cases,
                  const std::string& to, const std::string& format = "gbench");

// Of options those that have a value: "--csv", "FILE", ...
std::vector<std::string> with_values(const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace cfdmark
