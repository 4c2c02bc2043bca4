// Command-line options derived from the declarations of settings.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "bench/case/row_settings.hpp"

namespace cfdmark {

class SettingOptions {
 public:
  SettingOptions() = default;
  // Equivalent to --set for each of "NAME=VALUE,NAME=VALUE".
  explicit SettingOptions(const std::string& values);
  // Adds an option per setting, such as --max-iterations for max_iterations; its help lists the defaults in
  // rows of these kinds. Must outlive the command.
  void add_to(CLI::App& command, const std::vector<Setting>&, std::initializer_list<RowKind>);
  // Adds `--set NAME=VALUE`, for any setting.
  void add_set_to(CLI::App& command);

  // Returns the given values, parsed as `settings` declares them. `whose` names their owner in messages.
  // Throws std::invalid_argument, for an unknown name with a suggestion, for an invalid value with its
  // declaration.
  Config given(const std::vector<Setting>& settings, const std::string& whose) const;

 private:
  std::map<std::string, std::string> values_;  // by setting name; empty: not given
  std::vector<std::string> set_;               // "NAME=VALUE"
};

// Returns the settings of the cases and problems of rows of these kinds, each name once.
std::vector<Setting> workload_settings(const std::vector<Row>&, std::initializer_list<RowKind>);
// Returns these and all settings of solver methods, such as omega and pressure_solver.
std::vector<Setting> solver_settings(const std::vector<Row>&);

}  // namespace cfdmark
