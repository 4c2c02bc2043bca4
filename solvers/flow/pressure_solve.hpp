// The pressure of a staggered flow from its right-hand side: by red-black sweeps, by Jacobi's, by a solver of
// the linear table, or directly by transforms, between walls of cosines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/inner_solve.hpp"
#include "solvers/flow/periodic_ghosts.hpp"

namespace cfdmark {

class PressureSolve {
 public:
  // Of the config the number of threads matters, and to a solver of the linear table the shape of blocks.
  // Throws std::invalid_argument if the solver cannot do what is periodic, or is not on this backend.
  PressureSolve(FlowSystem&, const InnerSettings&, double omega, const Config&);

  // Once the flow was uploaded. Throws std::invalid_argument if it has a body, which no transform knows.
  void start();
  void operator()();            // from the pressure as it is
  Cost cost(int solves) const;  // so many since start()
  Resources resources() const;

 private:
  // In a closed box the equations leave a constant open, which a solver would blow up: in one cell p is 0.
  // Sweeps are faster without.
  void hold(const std::array<int, 3>& cell, const Config&);
  void prepare_sweeps(FlowSystem&, double omega, const std::string& named, const Config&);
  void prepare_jacobi(const Config&);
  void prepare_direct(const FlowDomain&, const Config&);

  int sweeps_ = 0;
  std::vector<std::vector<Operation>> sweep_;  // its parts, a colour each where ghosts must follow each
  Field relaxed_;                              // Jacobi's
  PeriodicGhosts ghosts_;
  std::unique_ptr<InnerSolve> solve_;    // instead of sweeps
  std::vector<Operation> direct_;        // likewise
  std::vector<Operation> hold_, start_;  // before each solve, and once
  System system_;
  std::vector<Field>& arrays_;
  const Field& faces_;
};

}  // namespace cfdmark
