// Common parts of the projection tests.
#pragma once

#include <memory>

#include "tests/solvers/flow/flow_solve.hpp"

namespace cfdmark {

// Returns options of `most` steps of the fused method, since the tolerance is never reached by default.
inline FlowOptions projected(const Config& config, double tolerance = 1e-30, int most = 100000) {
  return {.solver = "projection",
          .method = "fused",
          .tolerance = tolerance,
          .max_iterations = most,
          .config = config};
}
inline SolvedFlow solved(const std::shared_ptr<const FlowProblem>& problem, const FlowOptions& options) {
  return solve_flow_on(backend(options.backend), flow_method("projection", options.backend, options.method),
                       problem, options);
}
// Returns a config with some settings replaced.
inline Config with(Config config, const Config& more) {
  for (const auto& [name, value] : more.values()) config.set(name, value);
  return config;
}
// Solves the pressure by enough passes to reach rounding on the grids of these tests.
inline const Config swept{{"pressure_solver", "sor"}, {"pressure_sweeps", 600}};

}  // namespace cfdmark
