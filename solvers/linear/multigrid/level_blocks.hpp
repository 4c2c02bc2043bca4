// The setting level_blocks, which gives the CUDA block shape of each multigrid level. It is one shape for all
// levels, a list of shapes by level size, or the tuned config of each kernel and level (level_configs.hpp).
#pragma once

#include "solvers/linear/system/system.hpp"

namespace cfdmark {

// Returns the setting level_blocks. Values: "same" (the solver's own block shape), "tuned", or a list of
// shapes such as "32x1x8/4x4x4", in threads along x, y and z. A level takes the first shape whose x and y
// divide its numbers of points, else the last one.
Setting level_blocks_setting();

// Returns the settings that override a kernel's config on a level; empty for "same". Listed shapes apply only
// to methods with the setting block_z, so methods of strips and columns keep their own. Throws
// std::invalid_argument for a shape of several layers on a 2-D grid, and for "tuned" without a function that
// looks up tuned configs.
Config level_config(const System& level, const Config& of_solver, const std::string& kernel,
                    const std::string& method, const TuningSpace&);

}  // namespace cfdmark
