// Flow problems of tests.
#pragma once

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Returns a problem with the settings of `given` and the defaults of the others.
inline FlowProblem flow_with(std::string_view name, const Grid& grid, const Config& given) {
  const FlowProblemDescription& problem = *find_flow_problem(name);
  return make_flow_problem(problem, grid, TuningSpace{problem.settings}.complete(given));
}

// Returns the tunnel around a drawn body, with default settings.
inline FlowProblem default_tunnel_around(const DrawnBody& body, const Grid& grid) {
  return tunnel_around(body, grid, TuningSpace{find_flow_problem("tunnel")->settings}.defaults());
}

}  // namespace cfdmark
