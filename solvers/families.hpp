// The families of solvers of the program: those named in solvers/families.cmake, and those of the folders in
// CFDMARK_FAMILIES.
#pragma once

#include <string>
#include <vector>

#include "solvers/base/family.hpp"

namespace cfdmark {

const std::vector<Family>& families();
// Return null if no family has a solver or a problem of that name.
const Family* family_of_solver(const std::string& solver);
const Family* family_of_problem(const std::string& problem);
// Returns the default solver of a problem; of an unknown one, that of the first problem of all.
std::string usual_solver(const std::string& problem, bool in_3d);
// Return the names of all families in one list.
std::vector<std::string> all_solver_names();
std::vector<std::string> all_problem_names();

}  // namespace cfdmark
