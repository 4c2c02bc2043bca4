// Command-line options derived from the declarations of settings.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "bench/case/given_settings.hpp"
#include "bench/case/row_settings.hpp"

namespace cfdmark {

// The group of these options.
inline constexpr const char* settings_group = "Settings";

// Adds an option per setting, such as --max-iterations for max_iterations. `given` must outlive the command.
// Every option is accepted, whatever else is chosen, and named in the manual with the defaults in rows of
// these kinds. --help leaves them to the command's footer, which has those of what was chosen.
void add_setting_options(CLI::App& command, GivenSettings& given, const std::vector<Setting>&,
                         std::initializer_list<RowKind>);
// Adds `--set NAME=VALUE`, for any setting.
void add_set_option(CLI::App& command, GivenSettings& given);

}  // namespace cfdmark
