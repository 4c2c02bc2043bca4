// Solves for the pressure of a staggered flow. The choices are red-black passes, damped Jacobi passes, a
// linear solver (solver_table() in solvers/linear/table.hpp), and transforms (cosines between walls).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/inner_solve.hpp"
#include "solvers/flow/periodic_ghosts.hpp"
#include "solvers/flow/sweeps.hpp"

namespace cfdmark {

class PressureSolve {
 public:
  // Takes the number of threads from the config, and for a linear solver the block shape. Throws
  // std::invalid_argument if the solver does not support periodic sides or does not exist on this backend.
  PressureSolve(FlowSystem&, const InnerSettings&, double omega, const Config&);

  // Call after the flow was uploaded. `continues`: its pressure is the result of an earlier solve. Throws
  // std::invalid_argument if a direct solve meets a body, since transforms need equal equations in all cells.
  void start(bool continues = false);
  void operator()();            // starts from the present pressure
  Cost cost(int solves) const;  // of `solves` since start()
  Resources resources() const;

 private:
  // Fixes p = 0 in one cell. In a closed box the system is singular, and a Krylov solver would amplify the
  // constant. Plain passes converge faster without it.
  void hold(const std::array<int, 3>& cell, const Config&);
  void prepare_sor(FlowSystem&, double omega, const std::string& named, const Config&);
  void prepare_jacobi(const Config&);
  void prepare_direct(const FlowDomain&, const Config&);

  Sweeps passes_;
  Field relaxed_;                // result of a Jacobi pass
  std::vector<Operation> damp_;  // takes a share of that result; empty for other passes
  PeriodicGhosts ghosts_;
  std::unique_ptr<InnerSolve> solve_;    // replaces passes
  std::vector<Operation> direct_;        // replaces passes
  std::vector<Operation> hold_, start_;  // hold_ runs before each solve, start_ once
  Operation clear_pressure_;             // in the cell that is held, at the first start
  System system_;
  std::vector<Field>& arrays_;
  const Field& faces_;
};

}  // namespace cfdmark
