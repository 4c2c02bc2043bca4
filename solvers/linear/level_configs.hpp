// Configs of the kernels of multigrid's levels, where those differ from level to level: what is best on a
// fine grid does not fit a coarse one. A tuner knows such configs, and solvers know no tuner: who prepares
// one hands them in.
#pragma once

#include <functional>
#include <string>

#include "kernels/core/config.hpp"
#include "kernels/core/grid.hpp"
#include "kernels/core/precision.hpp"

namespace cfdmark {

// A kernel as a level runs it.
struct LevelKernel {
  std::string kernel, method;  // "restriction", "plain"
  Grid grid;                   // of the level, the finer one of a transfer
  Precision precision = Precision::fp64;
  bool constant_operator = true;
};

// Settings of that method; those that it leaves out are as everywhere.
using LevelConfigs = std::function<Config(const LevelKernel&)>;

}  // namespace cfdmark
