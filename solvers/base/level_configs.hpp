// Configs of multigrid kernels by level, since the best config of a fine grid rarely suits a coarse one. The
// tuned tables belong to bench/, which solvers do not include. So the caller passes a function that looks
// them up.
#pragma once

#include <functional>
#include <string>

#include "kernels/core/config.hpp"
#include "kernels/core/grid.hpp"
#include "kernels/core/precision.hpp"

namespace cfdmark {

// A kernel as one level runs it.
struct LevelKernel {
  std::string kernel, method;  // such as "restriction", "plain"
  Grid grid;                   // of the level; of a transfer, the finer of its two grids
  Precision precision = Precision::fp64;
  bool constant_operator = true;
};

// Returns settings of that method; settings that it omits keep their values.
using LevelConfigs = std::function<Config(const LevelKernel&)>;

}  // namespace cfdmark
