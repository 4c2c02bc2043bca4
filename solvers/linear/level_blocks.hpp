// The block shape of each level of multigrid on CUDA: one for all levels, one by the level's size, or what a
// tuner's table has for each kernel and level (level_configs.hpp).
#pragma once

#include "solvers/linear/system.hpp"

namespace cfdmark {

// "same": as the solver's config has it. "tuned". Or shapes such as "32x1x8/4x4x4", threads along x, y and
// z, of which a level takes the first whose x and y divide its own numbers of points, else the last.
Setting level_blocks_setting();

// What the setting makes of a kernel's config on a level; nothing of the solver's config if it says "same".
// Shapes are for methods with blocks along z; strips and columns keep theirs. Throws std::invalid_argument
// for a shape of several layers in 2-D, and for "tuned" where nobody handed in configs.
Config level_config(const System& level, const Config& of_solver, const std::string& kernel,
                    const std::string& method, const TuningSpace&);

}  // namespace cfdmark
