// Flows around several bodies in one stack of tunnels, which the kernels of SIMPLE process as one grid.
#pragma once

#include <memory>
#include <vector>

#include "solvers/base/recording.hpp"
#include "solvers/flow/method.hpp"
#include "solvers/flow/slot_sums.hpp"

namespace cfdmark {

// Residuals and coefficients of one slot's flow, as PressureVelocity::residuals() and results() define them
// for a single flow.
struct SlotLook {
  double momentum = 1, mass = 0, continuity_residual = 0;
  double drag = 0, lift = 0;

  double residual() const;  // the largest; NaN if one is NaN
  bool is_finite() const;
};

// The body and the start of a flow in the precision of its stack, on the host.
struct SlotFlow {
  HostField faces, wall_distances, u, v, p, mass_x, mass_y;  // wall_distances: with true distances only
};

class FlowStack {
 public:
  // Allocates and compiles; all slots are empty. `like`: a flow of the stack, for grid, fluid, sides and
  // scales. The config is complete and valid for the method, which is one of simple. Throws
  // std::invalid_argument if inner solves are not a fixed number of red-black or Jacobi iterations, or for
  // the pressure of multigrid cycles, since others join all slots; and if the flow has no outlet with a given
  // pressure.
  // coarsenings: of multigrid, the same in a stack of any height; 0: by the rows of the tunnel.
  FlowStack(Backend&, Precision, const FlowMethod&, const Config&, const FlowProblem& like, int slots,
            int coarsenings = 0);
  FlowStack(const FlowStack&) = delete;  // the recorded work refers to this object
  FlowStack& operator=(const FlowStack&) = delete;

  // Returns the body and the start of a problem. Throws std::invalid_argument if it has another grid, fluid
  // or scale than `like`. Several threads may call it.
  SlotFlow slot_flow(const FlowProblem&) const;
  // Writes a flow into a slot.
  void load(int slot, const SlotFlow&);
  // Fills a slot and the rows next to it with solid cells at rest: values that are not finite do not stay.
  void clear(int slot);
  // Iterates all slots check_interval times.
  void advance();
  int interval() const { return interval_; }
  // Returns the look of each slot; empty slots have zeros. Waits for the backend.
  std::vector<SlotLook> look();
  FlowFields download(int slot) const;
  const Stack& stack() const { return stack_; }

 private:
  // Writes rows in the precision of the stack, and reads them.
  void write(const Field&, const HostField&, int first_row);
  HostField read(const Field&, FieldPlace, int first_row) const;
  std::unique_ptr<Iteration> prepared(const FlowMethod&, const Config&);
  void prepare_look(const Config&, double share);

  Stack stack_;
  FlowDomain domain_;  // of one tunnel
  FlowSystem flow_;
  std::unique_ptr<Iteration> iteration_;
  int interval_, recorded_iterations_;
  RecordedWork recorded_;  // after iteration_, whose kernels it holds
  bool must_start_ = true;
  Field scratch_, distances_;  // distances_: zeros, without true distances to the bodies
  SlotSums sums_;
  std::vector<Operation> look_;
  RecordedWork recorded_look_;
};

}  // namespace cfdmark
