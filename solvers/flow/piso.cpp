// PISO (Issa 1986; Normore 2010, algorithm 2.2). Each iteration is a time step with one velocity prediction
// and two pressure corrections. The second corrector adds the neighbours' corrections, which the first one
// neglects:
//
//   h = sum a_nb (u** - u*)_nb / A_P,  u*** = u** + h - V / A_P grad p''
//
// The thesis prints the first corrector twice (algorithm 2.2), and its (28, 29) are not equations.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/face_flux/face_flux.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "solvers/flow/pressure_velocity.hpp"
#include "solvers/flow/time_steps.hpp"

namespace cfdmark {
namespace {

const Setting courant =
    real_setting("courant", 0.5, real_above(0),
                 "Courant number of a time step, with a speed of 1 and the shorter side of a cell");
TimeSteps steps_of(const FlowSystem& flow, const Config& config) {
  if (flow.saved) return {*flow.saved, config};
  const FluidCell& cell = flow.domain.cell;
  const double cells = config.real(courant.name);
  return {cells * std::min(cell.dx, cell.dy), config, fmt::format("courant={:g}", cells)};
}

struct Variant {
  const char* name;
  bool rhie_chow, second_order;
};
// rhie_chow and paper take implicit Euler steps; paper has the mean of both cells as face velocity, as in the
// thesis. second_order: rhie_chow with steps of second order (TimeLevels).
constexpr Variant variants[] = {
    {"rhie_chow", true, false}, {"paper", false, false}, {"second_order", true, true}};

Coupling piso_coupling(const TimeSteps& steps, const Config& config, const Variant& variant) {
  Coupling coupling = coupling_of(config, variant.rhie_chow);
  coupling.time_step = steps.length;
  coupling.second_order = variant.second_order;
  return coupling;
}

class Piso final : public PressureVelocity, public HasState {
 public:
  Piso(FlowSystem& flow, const TimeSteps& steps, const Config& config, const Variant& variant)
      : PressureVelocity(flow, piso_coupling(steps, config, variant), config),
        steps_(steps),
        du_(flow.field()),
        dv_(flow.field()),
        hu_(flow.field()),
        hv_(flow.field()),
        zero_(flow.field()) {
    flow.time_step = steps.length;
    const FluidCell cell = flow.domain.cell;
    const System u = flow.u_system();
    const Operations op(u, config);
    const auto neighbours = [&](const Field& change, const Field& h) {
      return sweep("neighbours", Jacobi{},
                   {.a = u.stencil(), .u = change.view(), .b = zero_.view(), .out = h.view()});
    };
    // Ghosts are excluded: the velocity of a boundary does not change.
    keep_prediction_ = {op.scale({1}, flow.u.view(), du_.view()), op.scale({1}, flow.v.view(), dv_.view())};
    changes_ = {op.update({1}, flow.u.view(), {-1}, du_.view()),
                op.update({1}, flow.v.view(), {-1}, dv_.view())};
    neighbours_ = {neighbours(du_, hu_), neighbours(dv_, hv_)};
    increments_ = {sweep("face fluxes", FluxIncrementX{{cell}},
                         {{.faces = flow.faces.view(), .increment = hu_.view(), .mass = flow.mass_x.view()}}),
                   sweep("face fluxes", FluxIncrementY{{cell}},
                         {{.faces = flow.faces.view(), .increment = hv_.view(), .mass = flow.mass_y.view()}}),
                   op.update({1}, hu_.view(), {1}, flow.u.view()),
                   op.update({1}, hv_.view(), {1}, flow.v.view())};
    change_ghosts_ = ghosts({du_.view(), dv_.view()});
    neighbour_ghosts_ = ghosts({hu_.view(), hv_.view()});
  }

  int final_iteration() const override {
    return steps_.count > 0 ? steps_.count : PressureVelocity::final_iteration();
  }

  void save(SavedFlow& saved) const override {
    saved.numbers.push_back({"time_step", steps_.length});
    save_levels(saved);
  }

 private:
  void iterate() override {
    keep_velocity();
    solve_momentum();
    make_fluxes();
    run(keep_prediction_);
    make_pressure_equation();
    solve_pressure();
    correct();
    add_neighbours_corrections();
    make_pressure_equation();
    solve_pressure();
    correct();
    make_momentum_equations();
  }

  void add_neighbours_corrections() {
    run(changes_);  // du = u** - u*
    refresh(change_ghosts_);
    run(neighbours_);
    refresh(neighbour_ghosts_);
    run(increments_);
    balance_outflow();
  }

  TimeSteps steps_;
  Field du_, dv_, hu_, hv_, zero_;
  std::vector<Operation> keep_prediction_, changes_, neighbours_, increments_;
  PeriodicGhosts change_ghosts_, neighbour_ghosts_;
};

// Momentum is solved to a tolerance, since the residual of each step accumulates and a fixed number of passes
// leaves more of it on finer grids. The pressure uses multigrid, because an unconverged pressure makes the
// next steps unstable and plain passes would need hundreds of iterations.
constexpr UsualSolves usual{
    .momentum_sweeps = 200, .momentum_tolerance = 1e-4, .pressure_solver = "multigrid", .pressure_sweeps = 2};

std::vector<FlowMethod> piso_methods(BackendKind kind) {
  std::vector<FlowMethod> methods;
  for (const Variant& variant : variants)
    for (FlowMethod& method : flow_methods(
             kind, variant.name, usual, {courant, end_time}, [variant](FlowSystem&flow, const Config&config) {
               return std::make_unique<Piso>(flow, steps_of(flow, config), config, variant);
             }))
      methods.push_back(std::move(method));
  return methods;
}

}  // namespace

FlowSolverDescription piso_solver() { return {"piso", piso_methods, 200000}; }

}  // namespace cfdmark
