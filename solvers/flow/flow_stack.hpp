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

class FlowStack {
 public:
  // Allocates and compiles; all slots are empty. `like`: a flow of the stack, for grid, fluid, sides and
  // scales. The config is complete and valid for the method, which is one of simple. Throws
  // std::invalid_argument if inner solves do not have a fixed number of red-black or Jacobi iterations, since
  // all slots would share their end, or if the flow has no outlet with a given pressure.
  FlowStack(Backend&, Precision, const FlowMethod&, const Config&, const FlowProblem& like, int slots);
  FlowStack(const FlowStack&) = delete;  // the recorded work refers to this object
  FlowStack& operator=(const FlowStack&) = delete;

  // Writes the body and the start of a problem into a slot. Throws std::invalid_argument if the problem has
  // another grid, fluid or scale than `like`.
  void load(int slot, const FlowProblem&);
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
  void write(const Field&, const HostField&, int first_row);
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
};

}  // namespace cfdmark
