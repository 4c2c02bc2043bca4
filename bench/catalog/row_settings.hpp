// The settings of a row's cases: those of its method, those that are asked of every case, and those of its
// problems.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "bench/catalog/catalog.hpp"

namespace cfdmark {

// What a case on a problem is asked, besides its row and grid: `problem`, what every case of the row is
// asked, and the problem's own settings. An empty name stands for the first problem, or for none where there
// is none, as for kernels. Throws std::invalid_argument if the row has no such problem.
TuningSpace question_space(const Row&, const std::string& problem = "");
// What `given` sets of it, and the defaults of the rest. Other settings of `given` are ignored.
Config question_of(const Row&, const Config& given = {});
// Calls f with each declaration of a row: how it is done, what every case is asked, what its problems have.
void for_each_setting(const Row&, const std::function<void(const Setting&)>& f);
// Null if the row has no problem of that name.
const RowProblem* find_problem(const Row&, const std::string& name);

// Throws std::logic_error, quoting the declarations, if a case could have two settings of one name, if a name
// is a number of one row and a word or another kind of number of another's, if it is that of an axis of
// sweeps, or if a declaration contradicts itself.
void check_settings(const std::vector<Row>&);

// The defaults that rows of these kinds have of a setting, by its name: methods and problems differ in them.
std::map<std::string, std::vector<std::string>> defaults_of(const std::vector<Row>&,
                                                            std::initializer_list<RowKind>);
// A line for each setting of a kind of row, with what it takes and what it is.
std::string settings_help(const std::vector<Row>&, RowKind);

}  // namespace cfdmark
