// Red-black passes over an equation of a collocated flow.
#pragma once

#include <vector>

#include "solvers/flow/coupling.hpp"
#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/periodic_ghosts.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

// Operations that run in order, `times` times. They are several passes at once, or one pass, or the two
// colours of a pass if ghosts must be refreshed in between.
struct Sweeps {
  std::vector<Operation> turn;
  int times = 0;

  // Runs in the layout of the method. Calls run(operation) for each operation, then refresh() for the ghosts.
  template <class Run, class Refresh>
  void operator()(const Run& run, const Refresh& refresh) const {
    turn.front().load();
    for (int n = 0; n < times; ++n)
      for (const Operation& operation : turn) run(operation), refresh();
    turn.front().store();
  }
  void operator()(const PeriodicGhosts& ghosts) const {
    (*this)([](const Operation& operation) { operation(); }, ghosts);
  }
  Cost cost(const PeriodicGhosts&) const;
};

// Prepares `sweeps` passes. Throws std::invalid_argument if the method that the coupling names does not
// support periodic sides.
Sweeps red_black_sweeps(const FlowSystem&, const System&, const Coupling&, const Config& threads,
                        const char* routine, double omega, int sweeps);

}  // namespace cfdmark
