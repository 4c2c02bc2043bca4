// The result of a solve.
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

// A published value of one of a problem's results.
struct PublishedValue {
  std::string name;
  double value = 0;
  std::string source;  // authors and year
  double time = 0;     // since the start, for a transient flow; 0: steady
};

struct RoutineTime {
  std::string name;
  double seconds = 0;
  int calls = 0;
};

struct Outcome {
  int iterations = 0;
  bool converged = false;
  std::vector<NamedValue> residuals;  // each relative to its first value, or as residuals_are_shares() says
  double relative_residual = 1;       // the largest of them; compared with the tolerance
  std::vector<std::pair<int, double>> history;  // (iteration, relative residual) at each check
  std::vector<NamedValue> results;  // derived from the answer, such as an error or a value at a point
  std::vector<std::pair<int, std::vector<NamedValue>>> result_history;  // (iteration, results) at each check
  // Filled only by a solve that is timed by routine. level_times: multigrid routines by grid, finest first,
  // such as "65x65 smooth".
  std::vector<RoutineTime> routines, level_times;
  Cost cost;  // declared cost of start(), the iterations and the checks
};

}  // namespace cfdmark
