// The time steps of the projection method: all of one length, or at each look as long as is stable by then.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "kernels/core/staggered.hpp"
#include "solvers/flow/stability.hpp"
#include "solvers/flow/time_steps.hpp"
#include "solvers/linear/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// What may be set of it, end_time among them.
std::vector<Setting> step_length_settings();

class StepLength {
 public:
  // The domain outlives it. Throws std::invalid_argument if the step that the config asks for is unstable.
  StepLength(const System&, const FlowDomain&, bool upwind, const Config&);

  // As kernels take it: the factors of two rates, and something times the length.
  TwoRates rates() const;
  OfStep of(double value) const;

  void start();       // once the flow was uploaded
  void after_step();  // behind each step, of a recorded one too
  // From the largest velocities along each axis, and the largest viscosity of eddies: throws
  // std::invalid_argument if a fixed step is unstable, or makes the next steps as long as they may be. Waits
  // for the backend.
  void look(const std::vector<double>& speeds, double eddy_viscosity = 0);

  double now() const { return length_; }
  double at_first() const { return first_; }
  bool is_adaptive() const { return adaptive_; }
  double elapsed() const { return elapsed_; }  // adaptive: at the last look
  // Steps after which the flow is where it was to go, as known at the last look.
  int arrival() const;
  Cost cost() const;  // of after_step()
  int launches() const;

 private:
  LongestStep longest(const std::vector<double>& speeds, int steps, double eddy_viscosity = 0) const;
  void set(double length, double before);

  const FlowDomain& flow_;
  const bool upwind_, adaptive_;
  const double share_, end_, turbulent_prandtl_;
  int count_ = 0;              // of fixed steps; 0: any number
  double first_ = 0, length_;  // of the first step, and now
  // Adaptive, at the last look: the time, the steps until then, and those that are left to end_.
  double elapsed_ = 0;
  int done_ = 0, left_ = std::numeric_limits<int>::max();
  // Adaptive, in the backend's memory: the length of this step and of the one before; the time until now.
  Field lengths_, time_;
  std::vector<Operation> after_step_;
};

}  // namespace cfdmark
