// Options and exit statuses of `cfdmark compare` and `cfdmark gate`.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/compare/compare.hpp"

namespace cfdmark {

// Exit statuses of both commands, for the end of --help.
inline constexpr const char* comparison_exit_statuses = R"(

exit status: 0 no regression; 1 a case is slower, another quantity is worse, or with --strict a case is
undecided; 2 nothing was compared: no case runs on both sides, an invalid option or input, sides that are not
comparable, or a file that could not be written;
3 undecided, and nothing worse; 4 a case has a wrong result, crashed or is missing, whatever else;
130 interrupted.)";

// Adds the options of both commands. The values in `request` are the defaults.
void add_comparison_options(CLI::App& command, compare::ComparisonRequest& request);

}  // namespace cfdmark
