// The table of flow solvers, and PreparedFlow, a solve of one of them that owns its memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/base/solver.hpp"
#include "solvers/flow/method.hpp"

namespace cfdmark {

const std::vector<FlowSolverDescription>& flow_solver_table();
std::vector<std::string> flow_solver_names();
// Returns null for an unknown name.
const FlowSolverDescription* find_flow_solver(std::string_view name);

// A prepared flow solve. Precision `mixed` stores in 32 bits and computes in 64.
class PreparedFlow {
 public:
  PreparedFlow(const FlowMethod&, Backend&, Precision, const Config&, std::shared_ptr<const FlowProblem>);

  void reset();  // restores the problem's start
  Outcome solve(double tolerance, int max_iterations);
  // Solves with each routine timed alone, so that the total time is not representative.
  Outcome solve_by_routine(double tolerance, int max_iterations);
  Solver& solver() { return *solver_; }
  const Solver& solver() const { return *solver_; }
  FlowFields solution() const;

 private:
  void add_shedding(Outcome&) const;

  std::shared_ptr<const FlowProblem> problem_;
  RoutineClock clock_;
  FlowSystem system_;
  std::unique_ptr<Solver> solver_;
  int iterations_ = 0;  // of the last solve
};

// Returns the bytes that a PreparedFlow allocates on a backend. For a method missing in this build it counts
// the flow alone.
std::size_t flow_bytes(const FlowMethod&, BackendKind, Precision, const Grid&, const Config&);

// Residuals of a flow, computed in double precision on one core. momentum: of the momentum equations,
// relative to A_P u. mass: continuity residual, an upper bound of the sum over all cells, relative to the
// mass flow scale. `method` and `config` are those of the solve.
struct FlowResiduals {
  double momentum = 0, mass = 0;
  double momentum_left = 0;  // PISO: part of the momentum residual that a time step leaves
};
FlowResiduals flow_residuals(const FlowSolverDescription&, const std::string& method, const Config&,
                             const FlowProblem&, const FlowFields&);

// Above this value the unsolved part of each time step becomes a visible error at the end.
inline constexpr double most_momentum_left = 1e-3;
// Returns true if these residuals, and the solver's other ones, have converged
// (solvers/base/convergence.hpp). A flow with an end_time has converged if it has reached it. `solve` and
// `run` use it whatever stopped the solver.
bool has_converged(const Outcome&, const FlowResiduals&, const Config&, double tolerance);

}  // namespace cfdmark
