// The settings of a row's cases. They belong to the method, to all workloads of the row, or to one problem.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns the workload settings of a case besides row and grid: `problem`, the settings of every workload of
// the row, and those of the problem. An empty name means the first problem, or none for kernels. Throws
// std::invalid_argument for an unknown problem.
TuningSpace workload_space(const Row&, const std::string& problem = "");
// Returns these settings from `given`, completed by defaults. Ignores other settings.
Config workload_of(const Row&, const Config& given = {});
// Calls f with each setting of a row: of its method, of every workload, of its problems.
void for_each_setting(const Row&, const std::function<void(const Setting&)>& f);
// Returns null if the row has no problem of that name.
const ProblemSettings* find_problem(const Row&, const std::string& name);

// Throws std::logic_error with the declarations if a case could have two settings of one name, a name has
// different types in different rows, a name is an axis of sweeps, or a declaration contradicts itself.
void check_settings(const std::vector<Row>&);

// Returns the workload settings of rows of these kinds, each name once: those of all cases, and those of each
// problem.
std::vector<Setting> workload_settings(const std::vector<Row>&, std::initializer_list<RowKind>);
// Returns the workload settings of solvers and the settings of their methods, such as omega and
// pressure_solver.
std::vector<Setting> solver_settings(const std::vector<Row>&);

// Returns what has a setting, such as "the problems cavity, channel"; empty if nothing has. If methods of the
// kernel or solver `name` have it, returns those, such as "its method cuda/persistent".
std::string owners_text(const std::vector<Row>&, const std::string& setting, const std::string& name);

}  // namespace cfdmark
