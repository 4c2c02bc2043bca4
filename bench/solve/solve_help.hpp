// The part of `cfdmark solve --help` that depends on what is chosen.
#pragma once

#include <string>

#include "bench/solve/solve.hpp"

namespace cfdmark {

// Returns the settings of the chosen problem and of the solver that would solve it, as options with their
// defaults there. If neither is chosen, lists the solvers and problems. Throws std::invalid_argument for an
// unknown one.
std::string solve_settings_help(const SolveRequest&);

}  // namespace cfdmark
