// The parts that SIMPLE and PISO are made of: kernels prepared on a flow, in the order in which an iteration
// takes them.
#pragma once

#include <memory>
#include <vector>

#include "kernels/core/finite_volume.hpp"
#include "solvers/core/iteration.hpp"
#include "solvers/flow/coupling.hpp"
#include "solvers/flow/flow_system.hpp"
#include "solvers/flow/momentum_solve.hpp"
#include "solvers/flow/periodic_ghosts.hpp"
#include "solvers/linear/operations.hpp"

namespace cfdmark {

class PressureVelocity : public Iteration {
 public:
  PressureVelocity(FlowSystem&, const Coupling&, const Config&);

  // Makes the equations of momentum from the flow as it is.
  void start() override;
  int advance(int most, double) final;

  // What is wrong: "momentum" with the equations as they will be solved next, as a share of a_P u; "mass",
  // what the last velocities lost before they were corrected, beyond the rounding of 32 bits, and "mass
  // left", what the fluxes lose as they are, both no less than the sum over all cells, as shares of what the
  // flow moves.
  std::vector<NamedValue> residuals() override;
  bool residuals_are_shares() const override { return true; }
  // The coefficients of drag and lift, where there is a body; and of inner solves to a tolerance, how many
  // iterations one took on average.
  std::vector<NamedValue> results() override;

  // Solves the equations of momentum once more. Returns what that leaves of their residual, as a share; 0 if
  // it is no more than rounding.
  double momentum_left();

  Cost cost(int iterations) const final;
  Cost check_cost() const override;
  // Known after an iteration: which kernels it calls, and how often.
  Resources resources() const override;

 protected:
  virtual void iterate() = 0;

  void make_momentum_equations();
  void keep_velocity();
  void solve_momentum();
  void make_fluxes();
  void balance_outflow();  // on an outlet that gives no pressure; nothing elsewhere
  void make_pressure_equation();
  void solve_pressure();  // p', from 0
  void correct();         // fluxes, velocity and pressure by p'

  // A kernel by its default method; of the config the number of threads matters.
  template <class K>
  Operation prepared(const System& system, const char* routine, const CellArgs<K>& args) const {
    const auto methods = CellKernel<K>::methods(system.backend->kind());
    const Method<CellArgs<K>>& method = is_periodic() ? methods.front() : default_method(methods, args);
    return prepare(system, routine, method, args, threads_);
  }
  template <class K, class... Views>
  Operation sweep(const char* routine, const K& kernel, const Views&... views) const {
    return prepared<K>(flow_.u_system(), routine, {flow_.precision, kernel, {views...}});
  }
  PeriodicGhosts ghosts(std::vector<AnyView> fields) const;
  void run(const std::vector<Operation>&);
  void run(const Operation&);
  void refresh(const PeriodicGhosts&);

  FlowSystem& flow_;
  const Coupling coupling_;

 private:
  bool is_periodic() const { return flow_.domain.is_periodic(); }
  void hold_pressure(const std::array<int, 3>& cell);
  void prepare_outflow(const Outflow&);
  // In the layout of their method.
  void relax(const Sweeps&, const PeriodicGhosts&);
  bool is_swept(const InnerSettings&) const;
  std::unique_ptr<InnerSolve> inner_solve(const System&, const char* of, const InnerSettings&,
                                          double omega) const;
  void count_call(const Operation&);
  double mass_rounding();
  double square_after(const std::vector<Operation>&);
  double joined(const Operation&);

  Config threads_;
  Field residual_;
  DeviceScalar scalar_;
  Sweeps relax_u_, relax_v_, relax_pressure_;
  std::unique_ptr<InnerSolve> u_solve_, v_solve_, pressure_solve_;  // instead of them
  std::unique_ptr<MomentumSolve> momentum_solve_;                   // instead of the first two
  std::vector<Operation> hold_, release_;                           // before the last and after it
  Field held_surplus_;
  std::vector<Operation> balance_outflow_;
  Field ones_;  // a face of the outflow each
  DeviceScalar one_, outflow_;
  std::vector<Operation> momentum_equations_, fluxes_, corrections_, forces_;
  Operation gradient_, pressure_equation_;
  std::vector<Operation> weigh_u_, weigh_v_;
  Operation residual_u_, residual_v_, square_, square_u_, square_v_, surplus_;
  PeriodicGhosts pressure_ghosts_, gradient_ghosts_, diagonal_ghosts_, u_ghosts_, v_ghosts_, velocity_ghosts_,
      correction_ghosts_;
  // Of an iteration, without inner solves by linear solvers. All are alike, and one that is recorded is not
  // seen here.
  struct Spent {
    Cost cost;
    int launches = 0, pressure_solves = 0;
  };
  Spent spent_on_one_, spent_;
  std::vector<std::pair<const Operation*, int>> called_;  // in the first
  bool counts_calls_ = false;
};

}  // namespace cfdmark
