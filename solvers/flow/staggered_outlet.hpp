// The outlet in the east of a staggered flow, whose faces the kernels of cells leave as they are.
#pragma once

#include <vector>

#include "kernels/core/staggered.hpp"
#include "solvers/flow/flow_system.hpp"

namespace cfdmark {

// True if a flow has an outlet: one that gives the pressure, or one that gives the outflow.
inline bool has_outlet(const FlowDomain& flow) { return !flow.anchor || flow.outflow; }

// Returns the view of the same cells one cell further along x or y. The last of them may be ghosts.
AnyView shifted_east(AnyView);
AnyView shifted_north(AnyView);

// The velocity through the outlet is that of the faces before it (no gradient). If the outlet gives the
// pressure, 0 on its faces, the pressure of the last cells then corrects it:
//   u = u* + dt / rho p / (dx / 2)
// Otherwise the same velocity is added to all its open faces before the pressure is solved, so that the
// outflow balances the inflow. A factor would not do: the first flow may be at rest.
class StaggeredOutlet {
 public:
  // `star`: the predicted velocity along x. `step`: 1 times the length of a time step.
  StaggeredOutlet(FlowSystem&, const Field& star, const OfStep& step, const Config& threads);
  StaggeredOutlet(const StaggeredOutlet&) = delete;  // its operations refer to its scalars
  StaggeredOutlet& operator=(const StaggeredOutlet&) = delete;

  void start();  // call after the flow was uploaded
  // Operations, to be run in order: on the predicted velocity before the pressure is solved, and on the
  // velocity after its correction.
  const std::vector<Operation>& predict() const { return predict_; }
  const std::vector<Operation>& correct() const { return correct_; }
  // Throws std::invalid_argument if a side other than the east has an outlet.
  static void check(const FlowProblem&);

 private:
  const FlowSystem& flow_;
  Field open_;  // 1 on the faces of fluid cells, else 0; with a given outflow only
  DeviceScalar one_, count_, outflow_;
  std::vector<Operation> predict_, correct_;
};

}  // namespace cfdmark
