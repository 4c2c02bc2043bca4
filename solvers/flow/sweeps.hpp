// Red-black sweeps of an equation of a collocated flow.
#pragma once

#include <vector>

#include "solvers/flow/coupling.hpp"
#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/periodic_ghosts.hpp"
#include "solvers/linear/operations.hpp"

namespace cfdmark {

// Operations that are done in turn, `times` times: several sweeps at once, or one, or a colour after the
// other where ghosts must follow each.
struct Sweeps {
  std::vector<Operation> turn;
  int times = 0;

  // In the layout of their method, with the ghosts after each operation.
  void operator()(const PeriodicGhosts&) const;
  Cost cost(const PeriodicGhosts&) const;
};

// Throws std::invalid_argument if the method that the coupling names cannot sweep between periodic sides.
Sweeps red_black_sweeps(const FlowSystem&, const System&, const Coupling&, const Config& threads,
                        const char* routine, double omega, int sweeps);

}  // namespace cfdmark
