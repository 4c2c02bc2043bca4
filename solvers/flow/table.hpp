// The flow solvers that there are, and a solve with all that it needs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/core/solver.hpp"
#include "solvers/flow/method.hpp"

namespace cfdmark {

const std::vector<FlowSolverDescription>& flow_solver_table();
std::vector<std::string> flow_solver_names();
// Null if there is none of that name.
const FlowSolverDescription* find_flow_solver(std::string_view name);

// Everything that a flow needs in some precision. Mixed: stored in 32 bits, computed with in 64.
class PreparedFlow {
 public:
  PreparedFlow(const FlowMethod&, Backend&, Precision, const Config&, std::shared_ptr<const FlowProblem>);

  void reset();  // to the problem's start
  Outcome solve(double tolerance, int max_iterations);
  // The same with each routine timed by itself: not to be timed as a whole.
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

// Bytes that a PreparedFlow allocates on a backend of a kind. Of a method that this build does not have, the
// flow's alone.
std::size_t flow_bytes(const FlowMethod&, BackendKind, Precision, const Grid&, const Config&);

// What is wrong with a flow as a solver left it, by 64-bit arithmetic on one core: what its equations of
// momentum lack, as a share of A_P u, and what its mass fluxes lose, no less than the sum over all cells, as
// a share of the mass that the flow moves. Method and config are the solver's.
struct FlowResiduals {
  double momentum = 0, mass = 0;
  double momentum_left = 0;  // PISO: of the residual of momentum, the share that a time step leaves unsolved
};
FlowResiduals flow_residuals(const FlowSolverDescription&, const std::string& method, const Config&,
                             const FlowProblem&, const FlowFields&);

// More than this share, left by each time step, is an error that can be seen at the end.
inline constexpr double most_momentum_left = 1e-3;
// True if these residuals, and the others as their solver knows them, have converged
// (solvers/core/convergence.hpp); of a flow that has an end in time, if it has arrived there. `solve` and
// `run` judge by it, whatever ended the solver.
bool has_converged(const Outcome&, const FlowResiduals&, const Config&, double tolerance);

}  // namespace cfdmark
