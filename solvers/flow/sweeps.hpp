// Red-black passes over an equation of a collocated flow.
#pragma once

#include <vector>

#include "solvers/flow/coupling.hpp"
#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/periodic_ghosts.hpp"
#include "solvers/linear/operations.hpp"

namespace cfdmark {

// Operations run in order, `times` times: several passes at once, one pass, or one colour after the other if
// ghosts must be refreshed in between.
struct Sweeps {
  std::vector<Operation> turn;
  int times = 0;

  // Runs in the layout of the method and refreshes the ghosts after each operation.
  void operator()(const PeriodicGhosts&) const;
  Cost cost(const PeriodicGhosts&) const;
};

// Prepares `sweeps` passes. Throws std::invalid_argument if the method that the coupling names does not
// support periodic sides.
Sweeps red_black_sweeps(const FlowSystem&, const System&, const Coupling&, const Config& threads,
                        const char* routine, double omega, int sweeps);

}  // namespace cfdmark
