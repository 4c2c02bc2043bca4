// One-line solves for tests.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "solvers/linear/table.hpp"
#include "tests/solvers/largest_difference.hpp"

namespace cfdmark {

inline std::vector<BackendKind> backends_here() {
  std::vector<BackendKind> kinds;
  for (BackendKind kind : all_backends)
    if (unavailable_reason(kind).empty()) kinds.push_back(kind);
  return kinds;
}

inline const SolverDescription& solver_named(const std::string& name) {
  for (const SolverDescription& solver : solver_table())
    if (solver.name == name) return solver;
  throw std::invalid_argument(name);
}

inline SolverMethod method_named(const SolverDescription& solver, BackendKind kind, const std::string& name) {
  for (const SolverMethod& method : solver.methods(kind))
    if (method.name == name) return method;
  throw std::invalid_argument(name);
}

inline SystemShape shape_of(const LinearProblem& problem, Precision p) {
  return {problem.grid, problem.coefficients.empty(), p, sides_of(*problem.description)};
}

// Returns true if a method supports a system. A method whose library is missing in this build supports none.
inline bool can_do(const SolverMethod& method, const SystemShape& shape) {
  return method.why_unsupported(shape).empty();
}

inline std::string name(const Grid& g) {
  return std::to_string(g.nx) + "x" + std::to_string(g.ny) + "x" + std::to_string(g.nz);
}

inline std::shared_ptr<const LinearProblem> posed(const std::string& problem, const Grid& grid) {
  return std::make_shared<const LinearProblem>(make_problem(problem, grid));
}

struct Solved {
  Outcome outcome;
  HostField u;
  SolutionError error;
};

struct SolveOptions {
  double tolerance = 1e-8;
  int max_iterations = 5000;
  Config config = {};
};

inline Solved solve(const std::string& solver_name, const SolverMethod& method, Backend& on,
                    Precision precision, const std::shared_ptr<const LinearProblem>& problem,
                    const SolveOptions& options) {
  PreparedSolver prepared(solver_named(solver_name), method, on, precision,
                          method.space.complete(options.config), problem);
  prepared.reset();
  Outcome outcome = prepared.solve(options.tolerance, options.max_iterations);
  HostField u = prepared.solution();
  const SolutionError error = solution_error(*problem, u);
  return {std::move(outcome), std::move(u), error};
}

// Returns the largest ratio of consecutive residuals, from check number `first` on; NaN if one is NaN.
inline double worst_factor(const Outcome& outcome, std::size_t first = 1) {
  double worst = 0;
  const auto& history = outcome.history;
  for (std::size_t n = first; n < history.size(); ++n)
    if (const double factor = history[n].second / history[n - 1].second; !(factor <= worst)) worst = factor;
  return worst;
}

}  // namespace cfdmark
