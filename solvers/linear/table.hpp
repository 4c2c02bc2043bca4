// The table of linear solvers, and PreparedSolver, a solve of one of them that owns its memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/base/prepared_solve.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

const std::vector<SolverDescription>& solver_table();
std::vector<std::string> solver_names();

// Returns the default method, by default_choice (kernels/core/method.hpp). Throws std::invalid_argument if no
// method supports such a system.
const SolverMethod& default_solver_method(const std::vector<SolverMethod>&, const SystemShape&);

// Returns why a solver cannot solve a problem, because of its symmetry or its sides; empty if it can.
std::string refusal(const SolverDescription&, const ProblemDescription&);

// A prepared solve of a linear system. Precision `mixed` is iterative refinement around the 32-bit solver.
class PreparedSolver final : public PreparedSolve {
 public:
  // Throws std::invalid_argument if the solver refuses the problem or the method does not support its system.
  // level_configs is called only here, for multigrid levels, if level_blocks=tuned.
  PreparedSolver(const SolverDescription&, const SolverMethod&, Backend&, Precision, const Config&,
                 std::shared_ptr<const LinearProblem>, const LevelConfigs& level_configs = {});

  // The shape of a problem: its grid, its sides, and its operator, of which only arrays may change.
  void load(std::shared_ptr<const Problem>) override;
  void reset() override;
  Judgement verify(Outcome&, double tolerance) override;
  std::function<double()> error() const override;
  Solver& solver() const override { return *solver_; }
  std::size_t field_bytes() const override { return field_bytes_; }

  HostField solution() const { return system_.u().download(); }
  // Returns the verdict on a solve, given its outcome and solution.
  Judgement judge(const Outcome&, const HostField& solution, double tolerance) const;

 private:
  std::shared_ptr<const LinearProblem> problem_;
  Precision precision_;
  HostField initial_;  // in the precision of the system
  OwnedSystem system_;
  std::unique_ptr<Solver> solver_;
  std::size_t field_bytes_ = 0;
};

// Returns the bytes that a PreparedSolver allocates on a backend, counted by preparing one on a counting
// backend. Excludes memory that a library allocates itself. For a method missing in this build it counts the
// system alone. Throws as PreparedSolver does.
std::size_t solver_bytes(const SolverMethod&, BackendKind, const SystemShape&, const Config&);

}  // namespace cfdmark
