// The linear solvers that there are, and a solve with all that it needs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/core/convergence.hpp"
#include "solvers/core/solver.hpp"
#include "solvers/linear/method.hpp"

namespace cfdmark {

const std::vector<SolverDescription>& solver_table();
std::vector<std::string> solver_names();

// What every solve is asked: tolerance and max_iterations.
const std::vector<Setting>& solve_settings();

// The method where nobody chose one: default_choice (kernels/core/method.hpp). Throws std::invalid_argument
// if none can do such a system.
const SolverMethod& default_solver_method(const std::vector<SolverMethod>&, const SystemShape&);

// Why a solver cannot solve a problem, which knows the sides that it cannot do; empty if it can.
std::string refusal(const SolverDescription&, const ProblemDescription&);

// Everything that a solve in some precision needs. Mixed is iterative refinement around the 32-bit solver.
class PreparedSolver {
 public:
  // Throws std::invalid_argument if the solver refuses the problem or the method cannot do its system.
  // level_configs: asked for multigrid's levels, now and never again, where the config says so.
  PreparedSolver(const SolverDescription&, const SolverMethod&, Backend&, Precision, const Config&,
                 std::shared_ptr<const LinearProblem>, const LevelConfigs& level_configs = {});

  void reset();  // u back to the initial guess
  Outcome solve(double tolerance, int max_iterations);
  // The same with each routine timed by itself: not to be timed as a whole.
  Outcome solve_by_routine(double tolerance, int max_iterations);
  Solver& solver() { return *solver_; }
  const Solver& solver() const { return *solver_; }
  HostField solution() const { return system_.u().download(); }
  // The verdict on a solve whose outcome and solution these are.
  Judgement judge(const Outcome&, const HostField& solution, double tolerance) const;
  std::size_t field_bytes() const { return field_bytes_; }  // on the backend

 private:
  std::shared_ptr<const LinearProblem> problem_;
  Precision precision_;
  HostField initial_;  // in the system's precision
  RoutineClock clock_;
  OwnedSystem system_;
  std::unique_ptr<Solver> solver_;
  std::size_t field_bytes_ = 0;
};

// Bytes that a PreparedSolver allocates on a backend of a kind: counted by preparing one on a backend that
// only counts. Without what a library takes by itself. Of a method that this
// build does not have, the system's alone. Throws as PreparedSolver does.
std::size_t solver_bytes(const SolverMethod&, BackendKind, const SystemShape&, const Config&);

}  // namespace cfdmark
