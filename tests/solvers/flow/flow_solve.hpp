// One-line flow solves for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "solvers/flow/table.hpp"
#include "tests/solvers/largest_difference.hpp"
#include "tests/solvers/problems/posed_flow.hpp"

namespace cfdmark {

struct FlowOptions {
  std::string solver = "simple", method = "rhie_chow";
  BackendKind backend = BackendKind::serial;
  Precision precision = Precision::fp64;
  double tolerance = 1e-9;
  int max_iterations = 5000;
  Config config = {};
};

struct SolvedFlow {
  Outcome outcome;
  FlowFields flow;
  std::vector<NamedValue> results;
  FlowResiduals found;

  static double named(const std::vector<NamedValue>& values, const std::string& name) {
    for (const NamedValue& v : values)
      if (v.name == name) return v.value;
    throw std::invalid_argument(name);
  }
  double result(const std::string& name) const { return named(results, name); }
  double residual(const std::string& name) const { return named(outcome.residuals, name); }
};

inline FlowMethod flow_method(const std::string& solver, BackendKind kind, const std::string& name) {
  for (FlowMethod& method : find_flow_solver(solver)->methods(kind))
    if (method.name == name) return method;
  throw std::invalid_argument(name);
}

inline std::shared_ptr<const FlowProblem> posed_flow(const std::string& name, const Grid& grid,
                                                     const Config& settings = {}) {
  return std::make_shared<const FlowProblem>(flow_with(name, grid, settings));
}

inline SolvedFlow solve_flow_on(Backend& on, const FlowMethod& method,
                                const std::shared_ptr<const FlowProblem>& problem,
                                const FlowOptions& options) {
  const Config config = method.space.complete(options.config);
  PreparedFlow prepared(*find_flow_solver(options.solver), method, on, options.precision, config, problem);
  prepared.reset();
  SolvedFlow s;
  s.outcome = prepared.solve(options.tolerance, options.max_iterations);
  s.flow = prepared.solution();
  s.results = s.outcome.results;
  for (NamedValue& result : flow_results(*problem, s.flow)) s.results.push_back(std::move(result));
  s.found = flow_residuals(*find_flow_solver(options.solver), options.method, config, *problem, s.flow);
  return s;
}

inline SolvedFlow solve_flow(const std::string& problem, const Grid& grid, const Config& settings = {},
                             const FlowOptions& options = {}) {
  return solve_flow_on(backend(options.backend), flow_method(options.solver, options.backend, options.method),
                       posed_flow(problem, grid, settings), options);
}

}  // namespace cfdmark
