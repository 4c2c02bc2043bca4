// The table of flow solvers, and PreparedFlow, a solve of one of them that owns its memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/base/prepared_solve.hpp"
#include "solvers/flow/method.hpp"

namespace cfdmark {

const std::vector<FlowSolverDescription>& flow_solver_table();
std::vector<std::string> flow_solver_names();
// Returns null for an unknown name.
const FlowSolverDescription* find_flow_solver(std::string_view name);

// Residuals of a flow, computed in double precision on one core. momentum: of the momentum equations,
// relative to A_P u. mass: continuity residual, an upper bound of the sum over all cells, relative to the
// mass flow scale. `method` and `config` are those of the solve.
struct FlowResiduals {
  double momentum = 0, mass = 0;
  double momentum_left = 0;  // PISO: part of the momentum residual that a time step leaves
};
FlowResiduals flow_residuals(const FlowSolverDescription&, const std::string& method, const Config&,
                             const FlowProblem&, const FlowFields&);

// A prepared flow solve. Precision `mixed` stores in 32 bits and computes in 64.
class PreparedFlow final : public PreparedSolve {
 public:
  PreparedFlow(const FlowSolverDescription&, const FlowMethod&, Backend&, Precision, const Config&,
               std::shared_ptr<const FlowProblem>);

  // The shape of a flow: its grid and its domain (FlowDomain). Throws std::invalid_argument for a
  // ContinuedFlow: its state is loaded by the constructor only.
  void load(std::shared_ptr<const Problem>) override;
  void reset() override;
  // Recomputes the residuals and compares them with the solver's. A diverged flow is wrong.
  Judgement verify(Outcome&, double tolerance) override;
  Solver& solver() const override { return *solver_; }
  std::size_t field_bytes() const override { return field_bytes_; }
  void complete(Outcome&) override;

  FlowFields solution() const { return solution_at(iterations_); }
  // Returns the present flow, and its time, after this number of iterations. At a residual check of a solve
  // with varying time steps the time is that of the check.
  FlowFields solution_at(int iterations) const;
  double time_at(int iterations) const;
  // Number of iterations before those of a solve: those of the state from which it continues.
  int earlier_iterations() const { return system_.saved ? system_.saved->iterations : 0; }
  // Returns the state after this number of iterations of the solve, at a residual check or after the solve.
  SavedFlow save(int iterations);
  // Length of a time step, or of the present one; 0: the iterations are not time steps.
  double time_step() const { return system_.time_step; }
  // Reason why the last solve has no Strouhal number; empty if it has one or needs none.
  const std::string& no_shedding() const { return no_shedding_; }

 private:
  std::unique_ptr<Solver> prepared_solver(Backend&, const FlowMethod&);

  FlowSolverDescription described_;
  std::string method_;
  Config config_;
  Precision precision_;
  std::shared_ptr<const FlowProblem> problem_;
  FlowSystem system_;
  HasState* state_ = nullptr;  // of the solver's iteration; null: it has none beyond the flow
  std::unique_ptr<Solver> solver_;
  std::size_t field_bytes_;
  int iterations_ = 0;  // of the last solve
  std::string no_shedding_;
};

// Returns the bytes that a PreparedFlow allocates on a backend. For a method missing in this build it counts
// the flow alone. has_wall_distances: of the flow's domain.
std::size_t flow_bytes(const FlowMethod&, BackendKind, Precision, const Grid&, const Config&,
                       bool has_wall_distances = false);

// Returns the published values that a solution at this time can be compared with. Excludes steady values if
// the config has an end time, and Nusselt numbers if it has an eddy viscosity.
std::vector<PublishedValue> comparable_values(const FlowProblem&, const Config&, double time);

// Above this value the unsolved part of each time step becomes a visible error at the end.
inline constexpr double most_momentum_left = 1e-3;
// Returns true if these residuals, and the solver's other ones, have converged
// (solvers/base/convergence.hpp). A flow with an end_time has converged if it has reached it. `solve` and
// `run` use it whatever stopped the solver.
bool has_converged(const Outcome&, const FlowResiduals&, const Config&, double tolerance);

}  // namespace cfdmark
