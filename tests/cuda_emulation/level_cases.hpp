// Multigrid with a block shape per level on the emulated device.
#pragma once

#include "solvers/linear/multigrid/multigrid.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// Returns other blocks on large levels than on small ones, and others for transfers than for relaxation.
// Records the queries.
inline LevelConfigs unequal_levels(std::vector<LevelKernel>* asked = nullptr) {
  return [asked](const LevelKernel& kernel) -> Config {
    if (asked) asked->push_back(kernel);
    if (kernel.grid.cells() < 100) return {};
    return kernel.kernel == "restriction" ? Config{{"block_x", 16}, {"block_y", 4}}
                                          : Config{{"block_x", 32}, {"block_y", 2}};
  };
}

// Calls f(problem, precision, config) for each way to choose the blocks of levels. Along x the grids have 32,
// 16, 8 .. cells.
template <class F>
void for_each_level_case(const F& f) {
  for (const auto& [name, grid] : {std::pair{"jump", Grid{32, 3, 4}}, {"manufactured", {32, 4, 2}}}) {
    const auto problem = std::make_shared<const LinearProblem>(make_problem(name, grid));
    for (const char* blocks : {"same", "tuned", "32x1x8/4x4x4"})
      for (Precision p : {Precision::fp32, Precision::fp64})
        f(problem, p, Config{{"level_blocks", blocks}, {"block_cells", 0}});
  }
}

}  // namespace cfdmark
