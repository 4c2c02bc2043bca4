// What every solver takes and gives.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "kernels/core/config.hpp"
#include "kernels/core/cost.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

struct Outcome {
  int iterations = 0;
  bool converged = false;
  double relative_residual = 1;                 // 2-norm, relative to the first, as the solver knows it
  std::vector<std::pair<int, double>> history;  // (iteration, relative residual) at each check
  Cost cost;                                    // declared, of all iterations and checks
};

class Solver {
 public:
  virtual ~Solver() = default;
  // Starts from the system's u and leaves the solution there. Stops when the residual has fallen to
  // `tolerance` times the first, at max_iterations, or when the residual is no longer a number.
  virtual Outcome solve(double tolerance, int max_iterations) = 0;
  virtual Resources resources() const = 0;  // of one iteration
  // Called at each check with the iteration; u is up to date then. Not set while time is taken.
  std::function<void(int iteration)> on_check;
};

// Adds what `step` occupies to `sum`.
inline void add_resources(Resources& sum, const Step& step) {
  sum.threads = std::max(sum.threads, step.resources.threads);
  if (sum.tile.empty()) sum.tile = step.resources.tile;
  sum.launches += step.resources.launches;
  sum.kernels.insert(sum.kernels.end(), step.resources.kernels.begin(), step.resources.kernels.end());
}

}  // namespace cfdmark
