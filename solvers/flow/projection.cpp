// The projection method (Chorin 1968; the review's): velocities on the faces of a staggered grid go a step by
// Adams and Bashforth without the pressure, which then takes their divergence away:
//   u* = u + dt (3/2 R(u) - 1/2 R(u_old)),  lap p = rho / dt div u*,  u' = u* - dt / rho grad p
// R is explicit, so nothing is split: u is of second order in time, and p is that of the middle of the step.
// `plain` has a kernel for each of the review's routines; `fused` makes fluxes and step in one pass.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "kernels/adams_bashforth/adams_bashforth.hpp"
#include "kernels/momentum_fluxes/momentum_fluxes.hpp"
#include "kernels/temperature/temperature.hpp"
#include "kernels/velocity_correction/velocity_correction.hpp"
#include "kernels/velocity_divergence/velocity_divergence.hpp"
#include "solvers/flow/coupling.hpp"
#include "solvers/flow/pressure_solve.hpp"
#include "solvers/flow/stability.hpp"
#include "solvers/flow/time_steps.hpp"
#include "solvers/linear/method.hpp"

namespace cfdmark {
namespace {

const Setting convection{"convection",
                         {},
                         "central",
                         "velocity on a face: the mean, which keeps energy; or second-order upwind",
                         "",
                         no_numbers(),
                         {"central", "upwind"}};
const Setting time_step =
    real_setting("time_step", 0, {Range::Kind::real, 0}, "of the flow; 0: a share of the longest stable one");
const Setting stable_share =
    real_setting("stable_share", 0.8, {Range::Kind::real, 0.01, 1}, "of the longest stable time step");

bool is_upwind(const Config& config) { return config.is(convection.name, "upwind"); }

void refuse_beyond(const LongestStep& longest, double step) {
  if (step <= longest.length * (1 + 1e-9)) return;  // false for NaN
  throw std::invalid_argument(fmt::format("a time step of {:.3g} is unstable: {:.3g} is the longest, by {}",
                                          step, longest.length, longest.reason));
}

// With what diffuses most.
FluidCell diffusing_cell(const FlowDomain& flow) {
  FluidCell cell = flow.cell;
  if (flow.heat) cell.viscosity = std::max(cell.viscosity, cell.density * flow.heat->diffusivity);
  return cell;
}

TimeSteps steps_of(const FlowDomain& flow, const Config& config) {
  const auto longest = [&](int steps) {
    return longest_step(is_upwind(config), diffusing_cell(flow), flow.speed, flow.speed, steps);
  };
  const double given = config.real(time_step.name),
               wanted = given > 0 ? given : config.real(stable_share.name) * longest(0).length;
  if (!(wanted > 0))
    throw std::invalid_argument("without viscosity no step is stable for ever: set time_step and end_time");
  const TimeSteps steps(wanted, config, fmt::format("{:.3g}", wanted));
  refuse_beyond(longest(steps.count), steps.length);
  return steps;
}

InnerSettings pressure_of(const Config& config) {
  InnerSettings settings = inner_settings(config);
  settings.same_operator = true;
  return settings;
}

class Projection final : public AlternatingIteration {
 public:
  Projection(FlowSystem& flow, const Config& config, bool fused)
      : flow_(flow),
        threads_(threads_of(config)),
        upwind_(is_upwind(config)),
        steps_(steps_of(flow.domain, config)),
        star_u_(flow.face_velocity()),
        star_v_(flow.face_velocity()),
        pressure_(flow, pressure_of(config), config.real("pressure_omega"), threads_),
        tolerance_(config.real("pressure_tolerance")),
        square_(flow.backend) {
    if (!flow.domain.anchor || flow.domain.outflow)
      throw std::invalid_argument("projection: its flows are closed or periodic, without an outlet");
    flow.time_step = steps_.length;
    for (auto* rates : {&ru_, &rv_})
      for (int n = 0; n < (fused ? 1 : 2); ++n) rates->push_back(flow.face_velocity());
    if (fused)
      prepare_fused();
    else
      prepare_routines();
    if (flow.domain.heat) prepare_heat(*flow.domain.heat);
    prepare_pressure();
    prepare_checks();
  }

  void start() override {
    now_ = 0, spent_ = {};
    velocity_ghosts_();
    star_u_.copy_from(flow_.u), star_v_.copy_from(flow_.v);  // their boundaries stay
    pressure_.start();
    start_rates_();
    if (!flow_.domain.heat) return;
    other_temperature_.copy_from(flow_.temperature);  // the walls'
    start_heat_();
  }

  int arrival() const override { return steps_.count > 0 ? steps_.count : Iteration::arrival(); }

  // "momentum": the rate of change of the velocity, as a share of what a cell's own terms of it are; "mass
  // left": what the velocities lose, no less than the sum over all cells, as a share of what the flow moves.
  std::vector<NamedValue> residuals() override {
    check_stability();
    for (const Operation& operation : rate_of_change_[now_]) operation();
    const double change = joined(square_star_u_) + joined(square_star_v_);
    square_velocity_ = joined(square_u_) + joined(square_v_);
    const FluidCell& c = flow_.domain.cell;
    const double own = 2 * c.viscosity / c.density * (1 / (c.dx * c.dx) + 1 / (c.dy * c.dy)) +
                       flow_.domain.speed * (1 / c.dx + 1 / c.dy);
    const double momentum = square_velocity_ > 0 ? std::sqrt(change / square_velocity_) / own : change > 0;
    divergence_left_();
    const double lost = std::sqrt(joined(square_b_) * double(flow_.grid().cells())) * steps_.length;
    return {{"momentum", momentum}, {"mass left", lost / flow_.domain.mass_scale}};
  }
  void store() override {
    if (flow_.domain.heat && now_ == 1) flow_.temperature.copy_from(other_temperature_);
  }
  bool residuals_are_shares() const override { return true; }
  std::vector<NamedValue> results() override {
    const FluidCell& c = flow_.domain.cell;
    return {{"kinetic_energy", 0.5 * c.density * c.volume() * square_velocity_}};
  }

  Cost cost(int iterations) const override {
    return tolerance_ > 0 ? spent_ : double(iterations) * cost_of_one();
  }
  Cost check_cost() const override {
    Cost all = divergence_left_.cost + square_b_.cost;
    for (const Operation& operation : rate_of_change_[0]) all = all + operation.cost;
    for (const Operation* operation :
         {&square_star_u_, &square_star_v_, &square_u_, &square_v_, &largest_u_, &largest_v_})
      all = all + operation->cost;
    return all;
  }
  Resources resources() const override {
    Resources all;
    for (const Operation& operation : predict_[0]) add_resources(all, operation.step);
    add_resources(all, divergence_.step);
    add_resources(all, pressure_.resources());
    add_resources(all, correct_.step);
    all.launches += star_ghosts_.launches() + velocity_ghosts_.launches();
    return all;
  }

 private:
  template <class K>
  Operation sweep(const char* routine, const CellArgs<K>& args) const {
    const auto methods = CellKernel<K>::methods(flow_.backend.kind());
    return prepare(flow_.poisson_system(), routine, default_method(methods, args), args, threads_);
  }
  // Fluxes of a scheme, or a step of one.
  template <class Central, class Upwind, class... Views>
  Operation by_scheme(const char* routine, const Central& central, const Upwind& upwind,
                      const Views&... views) const {
    return upwind_ ? sweep<Upwind>(routine, {flow_.precision, upwind, {views...}})
                   : sweep<Central>(routine, {flow_.precision, central, {views...}});
  }
  Operation fluxes(const Field& ru, const Field& rv) const {
    const MomentumRates rates{flow_.domain.cell, flow_.domain.driving_force};
    return by_scheme("momentum fluxes", MomentumFluxes{rates}, UpwindMomentumFluxes{rates},
                     flow_.faces.view(), flow_.u.view(), flow_.v.view(), ru.view(), rv.view());
  }

  // The rates of this step and of the one before take turns.
  void prepare_routines() {
    for (const int now : {0, 1}) {
      const int before = 1 - now;
      const CellArgs<AdamsBashforth> step{
          flow_.precision,
          {1.5 * steps_.length, -0.5 * steps_.length},
          {ru_[now].view(), rv_[now].view(), ru_[before].view(), rv_[before].view(), flow_.u.view(),
           flow_.v.view(), star_u_.view(), star_v_.view()}};
      predict_[now] = {fluxes(ru_[now], rv_[now]), sweep("adams bashforth", step)};
    }
    start_rates_ = fluxes(ru_[1], rv_[1]);
  }
  void prepare_fused() {
    const MomentumPrediction step{
        {flow_.domain.cell, flow_.domain.driving_force}, 1.5 * steps_.length, -0.5 * steps_.length};
    for (auto& predict : predict_)
      predict = {by_scheme("predict", CentralPrediction{step}, UpwindPrediction{step}, flow_.faces.view(),
                           flow_.u.view(), flow_.v.view(), ru_[0].view(), rv_[0].view(), star_u_.view(),
                           star_v_.view())};
    start_rates_ = fluxes(ru_[0], rv_[0]);
  }
  Operation divergence_of(const Field& u, const Field& v) const {
    return sweep<VelocityDivergence>(
        "divergence",
        {flow_.precision, {flow_.domain.cell, steps_.length}, {u.view(), v.view(), flow_.surplus.view()}});
  }
  Operation corrected(const Field& u, const Field& v, double length) const {
    return sweep<VelocityCorrection>("correct", {flow_.precision,
                                                 {flow_.domain.cell, length},
                                                 {flow_.faces.view(), flow_.p.view(), star_u_.view(),
                                                  star_v_.view(), u.view(), v.view()}});
  }
  // v* by a temperature, the mean of those at two times.
  Operation lifted(const Field& before, const Field& after, double factor) const {
    return sweep<Buoyancy>(
        "buoyancy",
        {flow_.precision, {factor}, {flow_.faces.view(), before.view(), after.view(), star_v_.view()}});
  }
  // From one field to the other in turn; the velocity feels the mean of both, which is of second order too.
  void prepare_heat(const Heat& heat) {
    if (flow_.domain.periodic_x || flow_.domain.periodic_y)
      throw std::invalid_argument("projection: there is no temperature between periodic sides");
    other_temperature_ = flow_.field(), heat_rate_ = flow_.field();
    const auto step = [&](const Field& from, const Field& to, double now, double before) {
      return sweep<Temperature>("temperature", {flow_.precision,
                                                {flow_.domain.cell, heat.diffusivity, now, before},
                                                {flow_.thermal_faces.view(), flow_.u.view(), flow_.v.view(),
                                                 from.view(), heat_rate_.view(), to.view()}});
    };
    const Field* const temperatures[] = {&flow_.temperature, &other_temperature_};
    for (const int now : {0, 1}) {
      const Field &from = *temperatures[now], &to = *temperatures[1 - now];
      predict_[now].push_back(step(from, to, 1.5 * steps_.length, -0.5 * steps_.length));
      predict_[now].push_back(lifted(from, to, steps_.length * heat.lift));
    }
    start_heat_ = step(flow_.temperature, other_temperature_, 0, 0);
  }
  void prepare_pressure() {
    divergence_ = divergence_of(star_u_, star_v_);
    correct_ = corrected(flow_.u, flow_.v, steps_.length);
    const System system = flow_.poisson_system();
    star_ghosts_ = {system, flow_.domain, {star_u_.view(), star_v_.view()}, threads_};
    velocity_ghosts_ = {system, flow_.domain, {flow_.u.view(), flow_.v.view()}, threads_};
  }
  // What the velocities gain in a unit of time is left where the next step puts its own.
  void prepare_checks() {
    for (const int now : {0, 1}) {
      rate_of_change_[now] = {fluxes(star_u_, star_v_)};
      if (flow_.domain.heat) {
        const Field& T = now == 0 ? flow_.temperature : other_temperature_;
        rate_of_change_[now].push_back(lifted(T, T, flow_.domain.heat->lift));
      }
      rate_of_change_[now].push_back(corrected(star_u_, star_v_, 1));
    }
    divergence_left_ = divergence_of(flow_.u, flow_.v);
    const Operations op(flow_.poisson_system(), threads_);
    const auto square = [&](const Field& f) { return op.dot(f.view(), f.view(), square_); };
    square_star_u_ = square(star_u_), square_star_v_ = square(star_v_);
    square_u_ = square(flow_.u), square_v_ = square(flow_.v), square_b_ = square(flow_.surplus);
    const auto largest = [&](const Field& f) {
      return sweep<MaxNorm>("largest velocity", {flow_.precision, {}, {f.view()}, square_.data()});
    };
    largest_u_ = largest(flow_.u), largest_v_ = largest(flow_.v);
  }

  void iterate(int now) override {
    for (const Operation& operation : predict_[now]) operation();
    star_ghosts_();
    divergence_();
    pressure_();
    correct_();
    velocity_ghosts_();
    if (tolerance_ > 0) spent_ = spent_ + cost_of_one();
  }

  void check_stability() {
    const double u = joined(largest_u_), v = joined(largest_v_);
    if (!std::isfinite(u + v)) return;  // the residuals will say so
    refuse_beyond(longest_step(upwind_, diffusing_cell(flow_.domain), u, v, steps_.count), steps_.length);
  }
  double joined(const Operation& operation) const {
    operation();
    return square_.get();
  }
  Cost cost_of_one() const {
    Cost all =
        divergence_.cost + pressure_.cost() + correct_.cost + star_ghosts_.cost() + velocity_ghosts_.cost();
    for (const Operation& operation : predict_[0]) all = all + operation.cost;
    return all;
  }

  FlowSystem& flow_;
  const Config threads_;
  const bool upwind_;
  const TimeSteps steps_;
  Field star_u_, star_v_;       // u*, with the boundary's velocity in the ghosts
  std::vector<Field> ru_, rv_;  // rates: of this step and of the one before
  Field other_temperature_, heat_rate_;
  PressureSolve pressure_;
  const double tolerance_;
  DeviceScalar square_;
  std::vector<Operation> predict_[2], rate_of_change_[2];
  Operation start_rates_, start_heat_, divergence_, correct_, divergence_left_;
  Operation square_star_u_, square_star_v_, square_u_, square_v_, square_b_, largest_u_, largest_v_;
  PeriodicGhosts star_ghosts_, velocity_ghosts_;
  double square_velocity_ = 0;
  Cost spent_;
};

std::vector<FlowMethod> projection_methods(BackendKind kind) {
  if (CellKernel<MomentumFluxes>::methods(kind).empty()) return {};
  std::vector<FlowMethod> methods;
  for (const bool fused : {false, true}) {
    FlowMethod method{
        .name = fused ? "fused" : "plain",
        .space = {{{"check_interval", {10, 20, 50}, 20, between_looks},
                   convection,
                   time_step,
                   stable_share,
                   end_time}},
        .prepare = [=](FlowSystem& flow,
                       const Config& config) { return std::make_unique<Projection>(flow, config, fused); },
        .arrangement = Arrangement::staggered};
    for (Setting& setting : pressure_settings("multigrid", 2)) method.space.settings.push_back(setting);
    complete_flow_space(kind, method.space);
    method.space.require(graph_constraint);
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

FlowSolverDescription projection_solver() { return {"projection", projection_methods}; }

}  // namespace cfdmark
