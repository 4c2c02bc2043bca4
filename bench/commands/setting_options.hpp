// Command-line options derived from the declarations of settings.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "bench/case/given_settings.hpp"
#include "bench/case/row_settings.hpp"

namespace cfdmark {

// Adds an option per setting, such as --max-iterations for max_iterations; its help lists the defaults in
// rows of these kinds. `given` must outlive the command.
void add_setting_options(CLI::App& command, GivenSettings& given, const std::vector<Setting>&,
                         std::initializer_list<RowKind>);
// Adds `--set NAME=VALUE`, for any setting.
void add_set_option(CLI::App& command, GivenSettings& given);

}  // namespace cfdmark
