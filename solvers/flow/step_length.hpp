// The time step of the projection method. It is fixed, or recomputed from the stability limit at each
// residual check.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "kernels/core/staggered.hpp"
#include "solvers/flow/stability.hpp"
#include "solvers/flow/time_steps.hpp"
#include "solvers/linear/system/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Returns the settings of the time step, including end_time.
std::vector<Setting> step_length_settings();

class StepLength {
 public:
  // The domain and the saved flow must outlive this object. `saved`: the flow whose steps these continue, or
  // null. Throws std::invalid_argument if the configured step is unstable.
  StepLength(const System&, const FlowDomain&, bool upwind, const Config&, const SavedFlow* saved = nullptr);

  // The step in the form that kernels take: factors of two rates, and a value times the step.
  TwoRates rates() const;
  OfStep of(double value) const;

  // Call after the flow was uploaded. `saved`: the state that was restored, or null.
  void start(const SavedFlow* saved = nullptr);
  void save(SavedFlow&) const;  // valid at a residual check
  void after_step();            // call after each step; recordable
  // Updates the step from the largest velocity along each axis and the largest eddy viscosity. Throws
  // std::invalid_argument if a fixed step is unstable; otherwise sets the longest permitted step. Waits for
  // the backend.
  void look(const std::vector<double>& speeds, double eddy_viscosity = 0);

  double now() const { return length_; }      // present step
  double at_first() const { return first_; }  // first step
  bool is_adaptive() const { return adaptive_; }
  double elapsed() const { return elapsed_; }  // adaptive steps: time at the last check_residual()
  // Number of steps to end_time as known at the last check_residual(); the maximum of int without an end.
  int final_iteration() const;
  Cost cost() const;  // of after_step()
  int launches() const;

 private:
  LongestStep longest(const std::vector<double>& speeds, int steps, double eddy_viscosity = 0) const;
  void set(double length, double before);
  // Shortens a step so that whole steps reach end_time. Sets left_.
  double fitted(double length);

  const FlowDomain& flow_;
  const bool upwind_, adaptive_;
  const double share_, end_, turbulent_prandtl_;
  int count_ = 0;               // number of fixed steps; 0: unlimited
  double first_ = 0, length_;   // first and present step
  double before_ = 0;           // adaptive steps: the previous one
  bool was_looked_at_ = false;  // true: the present step was chosen before the flow was saved
  // Adaptive steps, at the last check_residual(): time, steps so far, steps remaining to end_time.
  double elapsed_ = 0;
  int done_ = 0, left_ = std::numeric_limits<int>::max();
  // Adaptive steps, in the backend's memory: this step and the previous one; the time so far.
  Field lengths_, time_;
  std::vector<Operation> after_step_;
};

}  // namespace cfdmark
