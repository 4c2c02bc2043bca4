// Two time levels of a collocated flow for steps of second order (BDF2):
//
//   (3 u' - 4 u + u_older) / (2 dt) = rates
//
// It is an implicit Euler step with inertia 3 rho V / (2 dt) that begins at u + (u - u_older) / 3. Convection
// takes fluxes and deferred corrections at u + (u - u_older), the velocity extrapolated to the new time.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/periodic_ghosts.hpp"

namespace cfdmark {

class TimeLevels {
 public:
  // `inertia`: rho V / dt. The flow must outlive this object. Operations take threads from the config.
  TimeLevels(FlowSystem&, double inertia, const Config& threads);

  // Operations on the flow's fields and these levels, to be run in order.
  struct Part {
    std::vector<Operation> operations;
    PeriodicGhosts ghosts;  // refreshed afterwards
  };
  const Part& extrapolate() const { return extrapolate_; }  // extrapolated = 2 now - older
  // Corrects the inertia of momentum equations that were assembled with the extrapolated velocity.
  const Part& correct_inertia() const { return correct_inertia_; }
  // Moves the present flow to the older level, and makes the flow the beginning of the step: fluxes and old
  // velocities at u + (u - u_older) / 3, and the extrapolated velocity as first guess. Valid between
  // extrapolate() and the next one.
  void begin_step(const std::function<void(const Part&)>& run);

  // Makes both levels the present flow. A step from there is an Euler step of two thirds of the length.
  void start();
  // After such a step: restores the flow before it, and makes the older level the flow a whole step earlier,
  // to first order.
  void rewind(const std::function<void(const Part&)>& run);
  void save(SavedFlow&) const;
  void restore(const SavedFlow&);

  AnyView u() const { return extrapolated_[0].view(); }
  AnyView v() const { return extrapolated_[1].view(); }
  AnyView mass_x() const { return extrapolated_[2].view(); }
  AnyView mass_y() const { return extrapolated_[3].view(); }

 private:
  static constexpr int count = 4;  // u, v, mass_x, mass_y
  std::array<Field*, count> now_;
  std::array<Field, count> older_, extrapolated_;
  FlowSystem& flow_;
  Part extrapolate_, correct_inertia_, differences_, advance_, changes_, earlier_;
};

}  // namespace cfdmark
