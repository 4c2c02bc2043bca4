// What a solve gives.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/core/cost.hpp"

namespace cfdmark {

struct NamedValue {
  std::string name;
  double value = 0;
};

struct RoutineTime {
  std::string name;
  double seconds = 0;
  int calls = 0;
};

struct Outcome {
  int iterations = 0;
  bool converged = false;
  std::vector<NamedValue> residuals;  // each relative to its first or a share, as the solver knows it
  double relative_residual = 1;       // the largest of them: what a tolerance is asked of
  std::vector<std::pair<int, double>> history;  // (iteration, relative residual) at each check
  std::vector<NamedValue> results;              // of the answer: an error against what, a value at a point
  std::vector<std::pair<int, std::vector<NamedValue>>> result_history;  // (iteration, results) at each check
  // Only of a solve that was timed by routine; level_times: of multigrid, by its grids, finest first, and
  // the routines on each ("65x65 smooth").
  std::vector<RoutineTime> routines, level_times;
  Cost cost;  // declared, of all iterations and checks
};

}  // namespace cfdmark
