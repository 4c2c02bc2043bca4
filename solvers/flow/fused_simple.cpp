#include "solvers/flow/fused_simple.hpp"

#include "kernels/fused_coupling/fused_coupling.hpp"
#include "solvers/flow/pressure_velocity.hpp"

namespace cfdmark {
namespace {

// p' is read two cells away.
FlowSystem& with_wide_correction(FlowSystem& flow) {
  flow.correction = Field(flow.backend, flow.grid().with_halo(2), flow.precision);
  return flow;
}

// The flow between two iterations, and what a pass makes of it is another one: they take turns.
struct FlowState {
  AnyView u, v, p, aP, excess_x, excess_y;
};

class FusedSimple final : public PressureVelocity {
 public:
  FusedSimple(FlowSystem& flow, const Coupling& coupling, const Config& config)
      : PressureVelocity(with_wide_correction(flow), coupling, config), other_aP_(flow.field()) {
    for (int n : {0, 1}) {
      p_[n] = Field(flow.backend, flow.grid().with_halo(2), flow.precision);
      excess_x_[n] = flow.field(FieldPlace::face_x), excess_y_[n] = flow.field(FieldPlace::face_y);
    }
    const FluidCell& cell = flow.domain.cell;
    coupled_ = {{cell, coupling.velocity_relaxation},
                flow.domain.outflow ? FaceKind::fixed : FaceKind::outlet};
    for (int now : {0, 1}) prepare_turn(now);
    prepare_ends();
    if (flow.domain.outflow) prepare_outflow(*flow.domain.outflow);
  }

  void start() override {
    now_ = 0, is_ahead_ = false;
    PressureVelocity::start();
    run(begin_);
    refresh(state_ghosts_[0]);
    // What no pass writes: boundaries, and what lies beside them.
    flow_.old_u.copy_from(flow_.u), flow_.old_v.copy_from(flow_.v);
    other_aP_.copy_from(flow_.momentum_arrays.back());
    excess_x_[1].copy_from(excess_x_[0]), excess_y_[1].copy_from(excess_y_[0]);
  }
  // Comes here after iterations that were replayed, too.
  int advance(int most, double reduction) override {
    is_ahead_ = true;
    return PressureVelocity::advance(most, reduction);
  }
  std::vector<NamedValue> residuals() override {
    store();
    return PressureVelocity::residuals();
  }
  // The fluxes and the first state of the flow, from which iterations go on.
  void store() override {
    if (!is_ahead_) return;
    is_ahead_ = false;
    for (const Operation& operation : fluxes_before_[1 - now_]) operation();
    if (now_ == 1) {
      for (const Operation& operation : to_first_) operation();
      state_ghosts_[0]();
    }
    now_ = 0;
    pressure_out_();
  }
  Cost check_cost() const override {
    Cost all = PressureVelocity::check_cost() + pressure_out_.cost;
    for (const Operation& operation : fluxes_before_[0]) all = all + operation.cost;
    return all;
  }

 private:
  FlowState state(int n) const {
    const Grid& g = flow_.grid();
    const auto at_cells = [&](const Field& on_faces) { return on_faces.view().box(0, 0, 0, g.nx, g.ny); };
    const bool first = n == 0;
    return {(first ? flow_.u : flow_.old_u).view(),
            (first ? flow_.v : flow_.old_v).view(),
            p_[n].view(),
            first ? flow_.diagonal() : other_aP_.view(),
            at_cells(excess_x_[n]),
            at_cells(excess_y_[n])};
  }

  void prepare_turn(int now) {
    const FlowState from = state(now), to = state(1 - now);
    const AnyView faces = flow_.faces.view(), correction = flow_.correction.view();
    const auto &m = flow_.momentum_arrays, &c = flow_.pressure_arrays;
    const auto relaxed = [&](System system, const AnyView& velocity) {
      system.a.centre_a = from.aP, system.u = velocity;
      return relaxation(system, "solve u, v", 1, coupling_.momentum_sweeps);
    };
    relax_u_[now] = relaxed(flow_.u_system(), from.u), relax_v_[now] = relaxed(flow_.v_system(), from.v);
    pressure_equation_[now] =
        sweep("pressure equation", FusedPressureEquation{coupled_}, faces, from.u, from.v, from.p, from.aP,
              from.excess_x, from.excess_y, c[0].view(), c[1].view(), c[2].view(), c[3].view(), c[4].view(),
              flow_.surplus.view(), correction);
    const Momentum momentum{flow_.domain.cell,
                            coupling_.convection,
                            coupling_.velocity_relaxation,
                            0,
                            flow_.domain.driving_force,
                            0};
    momentum_[now] = sweep("momentum", FusedMomentum{coupled_, momentum, coupling_.pressure_relaxation},
                           faces, from.aP, correction, from.u, from.v, from.p, from.excess_x, from.excess_y,
                           to.u, to.v, to.p, to.excess_x, to.excess_y, m[0].view(), m[1].view(), m[2].view(),
                           m[3].view(), to.aP, flow_.bu.view(), flow_.bv.view());
    fluxes_before_[now] = {sweep("face fluxes", CorrectedFluxX{coupled_}, faces, from.aP, correction, from.u,
                                 from.p, excess_x_[now].view(), flow_.mass_x.view()),
                           sweep("face fluxes", CorrectedFluxY{coupled_}, faces, from.aP, correction, from.v,
                                 from.p, excess_y_[now].view(), flow_.mass_y.view())};
    u_ghosts_[now] = ghosts({from.u}), v_ghosts_[now] = ghosts({from.v});
    state_ghosts_[now] = ghosts({from.u, from.v, from.p, from.aP, from.excess_x, from.excess_y});
    correction_ghosts_ = ghosts({correction});
  }

  void prepare_ends() {
    const Operations op(flow_.u_system(), threads_);
    const auto copied = [&](const AnyView& from, const AnyView& to) {
      return op.scale({1}, from, to, "copy");
    };
    const FlowState first = state(0), other = state(1);
    begin_ = {sweep("face fluxes", FluxExcessX{coupled_.flux}, flow_.faces.view(), first.u,
                    flow_.mass_x.view(), excess_x_[0].view()),
              sweep("face fluxes", FluxExcessY{coupled_.flux}, flow_.faces.view(), first.v,
                    flow_.mass_y.view(), excess_y_[0].view()),
              copied(flow_.p.view(), first.p)};
    to_first_ = {copied(other.u, first.u),
                 copied(other.v, first.v),
                 copied(other.p, first.p),
                 copied(other.aP, first.aP),
                 copied(other.excess_x, first.excess_x),
                 copied(other.excess_y, first.excess_y)};
    pressure_out_ = copied(first.p, flow_.p.view());
  }

  // What goes through the outlet, before it is balanced and after.
  void prepare_outflow(const Outflow& outflow) {
    const FluidCell& cell = flow_.domain.cell;
    const Operations op(flow_.u_system(), threads_);
    const auto column = [&](const AnyView& of, int i) { return of.box(i, outflow.j, 0, 1, outflow.faces); };
    const AnyView mass = column(flow_.mass_x.view(), outflow.i);
    for (int now : {0, 1}) {
      outflow_[now] =
          op.scale({cell.density * cell.dy}, column(state(now).u, outflow.i - 1), mass, "outflow");
      balanced_[now] = op.scale({1}, mass, column(excess_x_[now].view(), outflow.i), "outflow");
    }
  }

  void iterate() override {
    const int now = now_;
    relax(relax_u_[now], u_ghosts_[now]);
    relax(relax_v_[now], v_ghosts_[now]);
    if (flow_.domain.outflow) {
      run(outflow_[now]);
      balance_outflow();
      run(balanced_[now]);
    }
    run(pressure_equation_[now]);
    refresh(correction_ghosts_);
    solve_pressure_on();
    run(momentum_[now]);
    now_ = 1 - now;
    refresh(state_ghosts_[now_]);
  }

  Field other_aP_, p_[2], excess_x_[2], excess_y_[2];
  FusedCoupling coupled_;
  Sweeps relax_u_[2], relax_v_[2];
  Operation pressure_equation_[2], momentum_[2], outflow_[2], balanced_[2], pressure_out_;
  std::vector<Operation> fluxes_before_[2], begin_, to_first_;
  PeriodicGhosts u_ghosts_[2], v_ghosts_[2], state_ghosts_[2], correction_ghosts_;
  int now_ = 0;            // the state that the flow is in
  bool is_ahead_ = false;  // of the fluxes and of the first state
};

}  // namespace

std::unique_ptr<Iteration> make_fused_simple(FlowSystem& flow, const Coupling& coupling,
                                             const Config& config) {
  return std::make_unique<FusedSimple>(flow, coupling, config);
}

}  // namespace cfdmark
