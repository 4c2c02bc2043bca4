// What the tests of the projection method share.
#pragma once

#include <memory>

#include "tests/solvers/flow/flow_solve.hpp"

namespace cfdmark {

// So many steps of `fused`, as no flow comes to so perfect a rest.
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
// A config in which some settings are replaced.
inline Config with(Config config, const Config& more) {
  for (const auto& [name, value] : more.values()) config.set(name, value);
  return config;
}
// The pressure by sweeps, to rounding on the grids of these tests.
inline const Config swept{{"pressure_solver", "sor"}, {"pressure_sweeps", 600}};

}  // namespace cfdmark
