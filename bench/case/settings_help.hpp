// Help on settings: for `list`, and for what the command line chose before --help.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns the defaults of each setting by name, over rows of these kinds; methods and problems may differ.
std::map<std::string, std::vector<std::string>> defaults_of(const std::vector<Row>&,
                                                            std::initializer_list<RowKind>);
// Returns one line per setting of a kind of row, with its type, meaning and default.
std::string settings_help(const std::vector<Row>&, RowKind);

// Returns a line of help: a name or an option, and from a fixed column on its text.
std::string help_line(const std::string& name, const std::string& text);

// The functions below take the rows of one kernel or solver, backend and precision: its methods. Each returns
// lines under headings; empty if there are no such settings. Where defaults differ, the lines say for which
// method or problem they hold.

// Returns the options of the workload, such as --tolerance, and those of the problem. An empty name means all
// problems. Throws std::invalid_argument for an unknown problem.
std::string workload_options_help(const std::vector<const Row*>& methods, const std::string& problem);
// Returns the options of the methods, such as --omega.
std::string method_options_help(const std::vector<const Row*>& methods);
// Returns the settings of the methods, with the values that a tuner searches.
std::string searched_settings_help(const std::vector<const Row*>& methods);

}  // namespace cfdmark
