// Options of the command line that follow from the declarations of settings.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "bench/catalog/row_settings.hpp"

namespace cfdmark {

class SettingOptions {
 public:
  SettingOptions() = default;
  // As if each of "NAME=VALUE,NAME=VALUE" had been given.
  explicit SettingOptions(const std::string& values);
  // An option for each of these settings, `--max-iterations` for max_iterations, with all defaults that rows
  // of these kinds have. Must outlive the command.
  void add_to(CLI::App& command, const std::vector<Setting>&, std::initializer_list<RowKind>);
  // `--set NAME=VALUE` for any.
  void add_set_to(CLI::App& command);

  // What was given, as values of `settings`; `whose` they are, for messages. Throws std::invalid_argument
  // with the nearest name for what is none of them, with the declaration for a value that is none of its
  // setting's.
  Config given(const std::vector<Setting>& settings, const std::string& whose) const;

 private:
  std::map<std::string, std::string> values_;  // by the setting's name; empty: not given
  std::vector<std::string> set_;               // "NAME=VALUE"
};

// What is asked of rows of these kinds, each name once: of every case, and of each problem.
std::vector<Setting> asked_settings(const std::vector<Row>&, std::initializer_list<RowKind>);
// These and every setting of a solver's methods, such as omega and pressure_solver.
std::vector<Setting> solver_settings(const std::vector<Row>&);

}  // namespace cfdmark
