// Building blocks of SIMPLE and PISO: kernels prepared on a flow, in the order of an iteration.
#pragma once

#include <memory>
#include <vector>

#include "kernels/core/finite_volume.hpp"
#include "solvers/base/iteration.hpp"
#include "solvers/flow/coupling.hpp"
#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/momentum_solve.hpp"
#include "solvers/flow/periodic_ghosts.hpp"
#include "solvers/flow/time_levels.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

class PressureVelocity : public Iteration {
 public:
  PressureVelocity(FlowSystem&, const Coupling&, const Config&);

  // Assembles the momentum equations from the present flow.
  void start() override;
  int advance(int most, double) final;

  // Returns three residuals:
  // - "momentum": of the next momentum equations, relative to a_P u;
  // - "mass": continuity residual of the last velocities before their correction, without the rounding of 32
  //   bits;
  // - "continuity_residual": continuity residual of the present fluxes.
  //
  // Both continuity residuals bound the sum over all cells from above and are relative to the mass flow
  // scale.
  std::vector<NamedValue> residuals() override;
  bool residuals_are_shares() const override { return true; }
  // Returns the drag and lift coefficients if there is a body, and for each inner solve to a tolerance its
  // average number of iterations.
  std::vector<NamedValue> results() override;

  // Solves the momentum equations once more. Returns the ratio of their residual after and before it; 0 if
  // the remaining residual is at rounding level.
  double momentum_left();

  Cost cost(int iterations) const final;
  Cost check_cost() const override;
  // Valid after the first iteration, which records its kernels and their numbers of calls.
  Resources resources() const override;

 protected:
  virtual void iterate() = 0;

  void make_momentum_equations();
  void keep_velocity();
  void solve_momentum();
  void make_fluxes();
  void balance_outflow();  // only at an outlet without a prescribed pressure
  void make_pressure_equation();
  void solve_pressure();  // p', starting from 0
  void correct();         // fluxes, velocity and pressure by p'

  // Prepares a kernel by its default method, with the config's number of threads.
  // `result`: output of a reduction.
  template <class K>
  Operation sweep(const char* routine, const K& kernel, const typename K::template Fields<AnyViews>& fields,
                  double* result = nullptr) const {
    const System system = flow_.u_system();
    const CellArgs<K> args{
        .precision = flow_.precision, .kernel = kernel, .fields = fields, .result = result};
    if constexpr (is_reduction<K>)
      if (system.ranks) return Operations(system, threads_).sweep(routine, args);
    const auto methods = CellKernel<K>::methods(system.backend->kind());
    const Method<CellArgs<K>>& method = flow_.exchanges() ? methods.front() : default_method(methods, args);
    return prepare(system, routine, method, args, threads_);
  }
  PeriodicGhosts ghosts(std::vector<AnyView> fields) const;
  void run(const std::vector<Operation>&);
  void run(const Operation&);
  void run(const TimeLevels::Part&);
  void refresh(const PeriodicGhosts&);

  void save_levels(SavedFlow&) const;  // adds the older time level, if there is one

  FlowSystem& flow_;
  const Coupling coupling_;

 private:
  void hold_pressure(const std::array<int, 3>& cell);
  void prepare_outflow(const Outflow&);
  void prepare_outflow_of_ranks(const Outflow&, const Operations&);
  // Runs the passes and counts their work.
  void relax(const Sweeps&, const PeriodicGhosts&);
  bool is_swept(const InnerSettings&) const;
  std::unique_ptr<InnerSolve> inner_solve(const System&, const char* of, const InnerSettings&,
                                          double omega) const;
  void count_call(const Operation&);
  void find_earlier_level();
  double mass_rounding();
  double square_after(const std::vector<Operation>&);
  double joined(const Operation&);

  Config threads_;
  Field residual_;
  DeviceScalar scalar_;
  Sweeps relax_u_, relax_v_, relax_pressure_;
  std::unique_ptr<InnerSolve> u_solve_, v_solve_, pressure_solve_;  // replace the passes relax_*
  std::unique_ptr<MomentumSolve> momentum_solve_;                   // replaces u_solve_ and v_solve_
  std::vector<Operation> hold_, release_;                           // run before and after pressure_solve_
  Field held_continuity_residual_;
  std::vector<Operation> balance_outflow_;
  Field ones_;  // one value per face of the outflow
  DeviceScalar one_, outflow_;
  std::unique_ptr<TimeLevels> levels_;        // of steps of second order
  std::vector<Operation> present_equations_;  // with them only: momentum equations of the present flow
  std::vector<Operation> momentum_equations_, fluxes_, corrections_, forces_;
  Operation gradient_, pressure_equation_;
  std::vector<Operation> weigh_u_, weigh_v_;
  Operation residual_u_, residual_v_, square_, square_u_, square_v_, continuity_residual_;
  PeriodicGhosts pressure_ghosts_, gradient_ghosts_, diagonal_ghosts_, u_ghosts_, v_ghosts_, velocity_ghosts_,
      correction_ghosts_;
  // Work of one iteration without inner linear solves. All iterations are alike; one replayed from a graph is
  // not counted here.
  struct Spent {
    Cost cost;
    int launches = 0, pressure_solves = 0;
  };
  Spent spent_on_one_, spent_;
  std::vector<std::pair<const Operation*, int>> called_;  // in the first iteration
  bool counts_calls_ = false;
};

}  // namespace cfdmark
