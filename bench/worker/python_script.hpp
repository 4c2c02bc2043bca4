// Runs commands of the Python package in scripts/cfdmark; its commands.py lists them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/text/json.hpp"

namespace cfdmark {

// Returns the command `python3 scripts/cfdmark NAME ARGUMENTS`, with the package of the installation or of
// the sources. Python is $CFDMARK_PYTHON, else python3 on the path or in /usr/bin. Throws std::runtime_error
// if there is none.
std::vector<std::string> script_command(const std::string& name, const std::vector<std::string>& arguments);

// Runs the script, with `input` as its standard input unless it is empty. Returns its exit status. Throws
// std::runtime_error if it cannot start.
int run_script(const std::string& name, const std::vector<std::string>& arguments,
               const std::string& input = "");

// Writes records in the format of Google Benchmark's --benchmark_out, for its compare.py: the samples of the
// last ok record of each case, in the order of `cases`. `format` is gbench, or smaller-is-better for
// github-action-benchmark. Throws WriteError.
void write_gbench(const std::vector<Json>& lines, const std::vector<std::string>& cases,
                  const std::string& to, const std::string& format = "gbench");

// Returns the options that have a value as words: "--csv", "FILE", ...
std::vector<std::string> with_values(const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace cfdmark
