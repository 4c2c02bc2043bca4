// The projection method (Chorin 1968) on a staggered grid: an Adams-Bashforth step without pressure, then a
// pressure that removes the divergence.
//
//   u* = u + dt (3/2 R(u) - 1/2 R(u_old)),  lap p = rho / dt div u*,  u' = u* - dt / rho grad p
//
// R is explicit, so there is no splitting error: u is second order in time, and p belongs to the middle of
// the step. `plain` has one kernel per routine of the review (results/published/review-*.yaml); `fused`
// computes fluxes and step in one pass.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "kernels/adams_bashforth/adams_bashforth.hpp"
#include "kernels/body_force/body_force.hpp"
#include "kernels/momentum_fluxes/momentum_fluxes.hpp"
#include "kernels/temperature/temperature.hpp"
#include "kernels/velocity_correction/velocity_correction.hpp"
#include "kernels/velocity_divergence/velocity_divergence.hpp"
#include "solvers/flow/coupling.hpp"
#include "solvers/flow/eddy_model.hpp"
#include "solvers/flow/pressure_solve.hpp"
#include "solvers/flow/staggered_outlet.hpp"
#include "solvers/flow/staggered_sweep.hpp"
#include "solvers/flow/step_length.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {
namespace {

const Setting convection{"convection",
                         {},
                         "central",
                         "face velocity: central, which conserves energy, or second-order upwind",
                         "",
                         no_numbers(),
                         {"central", "upwind"}};
constexpr int usual_sweeps = 2;  // for multigrid
// Memory paths by which published kernels differ. Not tuned: `plain`, the default with coefficient arrays, is
// the fastest (sweeps/reproduce/review-memory.yaml).
const Setting sweep_method{"sweep_method",
                           {},
                           "usual",
                           "method of red_black_sor for pressure_solver=sor",
                           "",
                           no_numbers(),
                           {"usual", "plain", "shared", "shared_branches", "readonly"}};
bool is_upwind(const Config& config) { return config.is(convection.name, "upwind"); }

InnerSettings pressure_of(const Config& config) {
  InnerSettings settings = inner_settings(config, "pressure");
  settings.same_operator = true;
  if (config.has(sweep_method.name) && settings.solver == "sor")
    settings.method = config.choice(sweep_method.name);
  return settings;
}

class Projection final : public AlternatingIteration, public HasState {
 public:
  Projection(FlowSystem& flow, const Config& config, bool fused)
      : flow_(flow),
        threads_(threads_of(config)),
        upwind_(is_upwind(config)),
        step_(flow.poisson_system(), flow.domain, upwind_, config, flow.saved),
        sweeps_(flow, threads_and_blocks_of(config)),
        velocities_(velocity_views(flow)),
        star_(fields()),
        pressure_(flow, pressure_of(config), config.real("pressure_omega"), threads_and_blocks_of(config)),
        square_(flow.backend),
        inverse_prandtl_(1 / turbulent_prandtl(config)) {
    flow.time_step = step_.now();
    if (has_eddies(config)) prepare_eddies(config);
    for (int n = 0; n < (fused ? 1 : 2); ++n) rates_.push_back(fields());
    if (fused)
      prepare_fused();
    else
      prepare_routines();
    if (flow.domain.heat) prepare_heat(*flow.domain.heat);
    prepare_pressure();
    if (has_outlet(flow.domain)) outlet_.emplace(flow, star_[0], step_.of(1), threads_);
    prepare_checks();
    if (flow.domain.force_scale > 0 && !flow.grid().is_3d()) prepare_forces();
  }

  void start() override {
    now_ = 0;
    const SavedFlow* const saved = flow_.take_saved();
    step_.start(saved);
    flow_.check_times.clear();
    velocity_ghosts_();
    for (std::size_t n = 0; n < star_.size(); ++n)
      star_[n].copy_from(*flow_.velocities()[n]);  // their boundary values stay
    pressure_.start(saved);
    if (outlet_) outlet_->start();
    if (eddies_) eddies_->start();
    for (const Operation& operation : start_rates_) operation();
    if (flow_.domain.heat) {
      other_temperature_.copy_from(flow_.temperature);  // for the walls' temperature
      start_heat_();
    }
    if (!saved) return;
    std::vector<Field>& rates = rates_.back();
    for (std::size_t n = 0; n < rates.size(); ++n) saved->restore(rate_name(n), rates[n]);
    if (flow_.domain.heat) saved->restore("old Q", heat_rate_);
  }

  // The rates of the last step are those before the next one.
  void save(SavedFlow& saved) const override {
    const std::vector<Field>& rates = rates_.size() == 1 ? rates_[0] : rates_[1 - now_];
    for (std::size_t n = 0; n < rates.size(); ++n) saved.add(rate_name(n), rates[n]);
    if (flow_.domain.heat) saved.add("old Q", heat_rate_);
    step_.save(saved);
  }

  int final_iteration() const override { return step_.final_iteration(); }

  // Returns relative residuals. "momentum": rate of change of the velocity, relative to a cell's own terms of
  // it; "heat": the same for the temperature in the last step; "continuity_residual": continuity residual, an
  // upper bound of the sum over all cells, relative to the mass flow scale.
  std::vector<NamedValue> residuals() override {
    for (const Operation& operation : rate_of_change_[now_]) operation();
    look_at_speeds();
    const double change = sum_of(squares_of_star_);
    square_velocity_ = sum_of(squares_);
    const FluidCell& c = flow_.domain.cell;
    divergence_left_();
    const double lost = std::sqrt(joined(square_b_) * double(flow_.cells())) * step_.at_first();
    std::vector<NamedValue> all = {{"momentum", share_of(change, square_velocity_, c.viscosity / c.density)},
                                   {"continuity_residual", lost / flow_.domain.mass_scale}};
    if (flow_.domain.heat)
      all.push_back({"heat", share_of(joined(square_heat_rate_), joined(square_temperature_[now_]),
                                      flow_.domain.heat->diffusivity)});
    return all;
  }
  void store() override {
    if (flow_.domain.heat && now_ == 1) flow_.temperature.copy_from(other_temperature_);
  }
  bool residuals_are_shares() const override { return true; }
  std::vector<NamedValue> results() override {
    const FluidCell& c = flow_.domain.cell;
    std::vector<NamedValue> all;
    if (!forces_.empty()) {
      for (const Operation& operation : mean_velocities_) operation();
      all = {{"drag_coefficient", joined(forces_[0]) / flow_.domain.force_scale},
             {"lift_coefficient", joined(forces_[1]) / flow_.domain.force_scale}};
    }
    all.push_back({"kinetic_energy", 0.5 * c.density * c.volume() * square_velocity_});
    if (eddies_) all.push_back({"largest_eddy_viscosity", largest_eddy_});
    return all;
  }

  Cost cost(int iterations) const override {
    return double(iterations) * cost_of_one() + pressure_.cost(iterations);
  }
  Cost check_cost() const override {
    Cost all = divergence_left_.cost + square_b_.cost;
    for (const Operation& operation : rate_of_change_[0]) all = all + operation.cost;
    for (const auto* operations : {&squares_of_star_, &squares_, &largest_, &mean_velocities_, &forces_})
      for (const Operation& operation : *operations) all = all + operation.cost;
    if (flow_.domain.heat) all = all + square_heat_rate_.cost + square_temperature_[0].cost;
    return eddies_ ? all + largest_of_eddies_.cost : all;
  }
  Resources resources() const override {
    Resources all;
    for (const Operation& operation : predict_[0]) add_resources(all, operation.step);
    add_resources(all, divergence_.step);
    add_resources(all, pressure_.resources());
    add_resources(all, correct_.step);
    if (outlet_)
      for (const auto* operations : {&outlet_->predict(), &outlet_->correct()})
        for (const Operation& operation : *operations) add_resources(all, operation.step);
    all.launches += star_ghosts_.launches() + velocity_ghosts_.launches() + step_.launches();
    return all;
  }

 private:
  using Views = std::vector<AnyView>;

  static std::string rate_name(std::size_t axis) { return std::string("old R(") + "uvw"[axis] + ")"; }
  int dims() const { return flow_.grid().dims; }
  // Returns one field per velocity component.
  std::vector<Field> fields() const {
    std::vector<Field> all;
    for (int n = 0; n < dims(); ++n) all.push_back(flow_.face_velocity());
    return all;
  }
  NamedViews faces() const { return {"faces", flow_.faces.view()}; }

  void prepare_eddies(const Config& config) {
    eddies_.emplace(flow_, config, sweeps_);
    largest_of_eddies_ =
        sweeps_.sweep("largest eddy viscosity", MaxNorm{}, {.x = eddies_->viscosity()}, square_.data());
  }
  // Returns operations, in order, that compute the rate of change of the velocities without the pressure.
  std::vector<Operation> change(const Views& rates) const {
    std::vector<Operation> all = {fluxes(rates)};
    if (!eddies_) return all;
    const std::vector<Operation> more = eddies_->add_to(rates);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Operation fluxes(const Views& rates) const {
    const MomentumRates kernel{flow_.domain.cell, flow_.domain.driving_force};
    const std::vector<NamedViews> views = {faces(), {"*", velocities_}, {"R(*)", rates}};
    return upwind_
               ? sweeps_.sweep<UpwindMomentumFluxes, UpwindMomentumFluxes3d>("momentum fluxes", kernel, views)
               : sweeps_.sweep<MomentumFluxes, MomentumFluxes3d>("momentum fluxes", kernel, views);
  }

  // The rates of this step and of the previous one alternate.
  void prepare_routines() {
    for (const int now : {0, 1}) {
      const Views rates = views_of(rates_[now]), before = views_of(rates_[1 - now]);
      predict_[now] = change(rates);
      predict_[now].push_back(sweeps_.sweep<AdamsBashforth, AdamsBashforth3d>(
          "adams bashforth", step_.rates(),
          {{"R(*)", rates}, {"old R(*)", before}, {"*", velocities_}, {"new *", views_of(star_)}}));
    }
    start_rates_ = change(views_of(rates_[1]));
  }
  void prepare_fused() {
    const MomentumPrediction kernel{{flow_.domain.cell, flow_.domain.driving_force}, step_.rates()};
    const std::vector<NamedViews> views = {
        faces(), {"*", velocities_}, {"R(*)", views_of(rates_[0])}, {"new *", views_of(star_)}};
    for (auto& predict : predict_)
      predict = {upwind_ ? sweeps_.sweep<UpwindPrediction, UpwindPrediction3d>("predict", kernel, views)
                         : sweeps_.sweep<CentralPrediction, CentralPrediction3d>("predict", kernel, views)};
    start_rates_ = change(views_of(rates_[0]));
  }
  Operation divergence_of(const Views& velocities, const OfStep& length) const {
    return sweeps_.sweep<VelocityDivergence, VelocityDivergence3d>(
        "divergence", LostThroughFaces{flow_.domain.cell, length},
        {{"*", velocities}, {"b", flow_.continuity_residual.view()}});
  }
  // Computes the corrected velocities from u*.
  Operation corrected(const Views& velocities, const OfStep& length) const {
    return sweeps_.sweep<VelocityCorrection, VelocityCorrection3d>(
        "correct", PushedByPressure{flow_.domain.cell, length},
        {faces(), {"p", flow_.p.view()}, {"*", views_of(star_)}, {"new *", velocities}});
  }
  // Adds buoyancy to v*, from the mean of the temperatures at two times.
  Operation lifted(const Field& before, const Field& after, const OfStep& factor) const {
    return sweeps_.sweep(
        "buoyancy", Buoyancy{factor},
        {.faces = flow_.faces.view(), .T = before.view(), .new_T = after.view(), .v = star_[1].view()});
  }
  // The temperature alternates between two fields. Buoyancy uses the mean of both, which keeps second order.
  void prepare_heat(const Heat& heat) {
    if (flow_.domain.is_periodic())
      throw std::invalid_argument("projection does not support heat with periodic sides");
    other_temperature_ = flow_.field(), heat_rate_ = flow_.field();
    const auto step = [&](const Field& from, const Field& to, const TwoRates& rates) {
      const HeatFluxes fluxes{flow_.domain.cell, heat.diffusivity, rates};
      std::vector<NamedViews> views = {{"faces", flow_.thermal_faces.view()},
                                       {"*", velocities_},
                                       {"T", from.view()},
                                       {"Q", heat_rate_.view()},
                                       {"new T", to.view()}};
      if (!eddies_) return sweeps_.sweep<Temperature, Temperature3d>("temperature", fluxes, views);
      views.push_back({"nu_t", eddies_->viscosity()});
      return sweeps_.sweep<EddyTemperature, EddyTemperature3d>(
          "temperature", EddyHeatFluxes{fluxes, inverse_prandtl_}, views);
    };
    const Field* const temperatures[] = {&flow_.temperature, &other_temperature_};
    for (const int now : {0, 1}) {
      const Field &from = *temperatures[now], &to = *temperatures[1 - now];
      predict_[now].push_back(step(from, to, step_.rates()));
      const PeriodicGhosts ghosts(flow_.poisson_system(), flow_.domain, {to.view()}, threads_);
      predict_[now].insert(predict_[now].end(), ghosts.copies().begin(), ghosts.copies().end());
      predict_[now].push_back(lifted(from, to, step_.of(heat.lift)));
    }
    start_heat_ = step(flow_.temperature, other_temperature_, {});
  }
  void prepare_pressure() {
    divergence_ = divergence_of(views_of(star_), step_.of(1));
    correct_ = corrected(velocities_, step_.of(1));
    const System system = flow_.poisson_system();
    star_ghosts_ = {system, flow_.domain, views_of(star_), threads_};
    velocity_ghosts_ = {system, flow_.domain, velocities_, threads_};
  }
  // The rate of change is stored in u*, which the next step overwrites.
  void prepare_checks() {
    for (const int now : {0, 1}) {
      rate_of_change_[now] = change(views_of(star_));
      if (flow_.domain.heat) {
        const Field& T = now == 0 ? flow_.temperature : other_temperature_;
        rate_of_change_[now].push_back(lifted(T, T, {flow_.domain.heat->lift}));
      }
      rate_of_change_[now].push_back(corrected(views_of(star_), {}));
    }
    divergence_left_ = divergence_of(velocities_, {step_.at_first()});
    const Operations op(flow_.poisson_system(), threads_);
    const auto square = [&](const AnyView& f) { return op.dot(f, f, square_); };
    for (const Field& star : star_) squares_of_star_.push_back(square(star.view()));
    square_b_ = square(flow_.continuity_residual.view());
    if (flow_.domain.heat) {
      square_heat_rate_ = square(heat_rate_.view());
      square_temperature_[0] = square(flow_.temperature.view());
      square_temperature_[1] = square(other_temperature_.view());
    }
    for (const AnyView& velocity : velocities_) {
      squares_.push_back(square(velocity));
      largest_.push_back(sweeps_.sweep("largest velocity", MaxNorm{}, {.x = velocity}, square_.data()));
    }
  }

  // Forces take velocities at the centres of cells, which u* has room for until the next step.
  void prepare_forces() {
    const Operations op(flow_.poisson_system(), threads_);
    const AnyView &u = velocities_[0], &v = velocities_[1];
    for (const auto& [from, beyond, mean] :
         {std::tuple(u, shifted_east(u), star_[0].view()), {v, shifted_north(v), star_[1].view()}}) {
      mean_velocities_.push_back(op.scale({0.5}, from, mean, "drag and lift"));
      mean_velocities_.push_back(op.update({0.5}, beyond, {1}, mean, "drag and lift"));
    }
    const BodyForce force{.cell = flow_.domain.cell};
    const AnyView faces = flow_.faces.view(), p = flow_.p.view();
    forces_ = {sweeps_.sweep("drag and lift", BodyForceX{force},
                             {{.faces = faces, .p = p, .velocity = star_[0].view()}}, square_.data()),
               sweeps_.sweep("drag and lift", BodyForceY{force},
                             {{.faces = faces, .p = p, .velocity = star_[1].view()}}, square_.data())};
  }

  void iterate(int now) override {
    for (const Operation& operation : predict_[now]) operation();
    if (outlet_)
      for (const Operation& operation : outlet_->predict()) operation();
    star_ghosts_();
    divergence_();
    pressure_();
    correct_();
    if (outlet_)
      for (const Operation& operation : outlet_->correct()) operation();
    velocity_ghosts_();
    step_.after_step();
  }

  // Returns the norm of a rate of change, relative to the norm of the quantity times the rate of a cell's own
  // terms.
  double share_of(double squares_of_rate, double squares, double diffusivity) const {
    double own = 0;
    for (int axis = 0; axis < dims(); ++axis) {
      const double side = flow_.domain.cell.side(axis);
      own += 2 * diffusivity / (side * side) + flow_.domain.speed / side;
    }
    if (squares > 0) return std::sqrt(squares_of_rate / squares) / own;
    // The quantity is zero everywhere: a driven flow is not solved, even if its squares underflow. A heated
    // fluid without lift is not driven.
    const bool is_driven = !flow_.domain.heat || flow_.domain.heat->lift != 0;
    return is_driven || squares_of_rate > 0 ? 1 : 0;
  }
  void look_at_speeds() {
    std::vector<double> speeds;
    for (const Operation& largest : largest_) speeds.push_back(joined(largest));
    if (eddies_) largest_eddy_ = joined(largest_of_eddies_);
    step_.look(speeds, largest_eddy_);
    flow_.time_step = step_.now();
    if (!step_.is_adaptive()) return;
    flow_.elapsed = step_.elapsed();
    flow_.check_times.push_back(step_.elapsed());
  }
  double sum_of(const std::vector<Operation>& operations) const {
    double sum = 0;
    for (const Operation& operation : operations) sum += joined(operation);
    return sum;
  }
  double joined(const Operation& operation) const {
    operation();
    return square_.get();
  }
  Cost cost_of_one() const {  // without the pressure solve
    Cost all =
        divergence_.cost + correct_.cost + star_ghosts_.cost() + velocity_ghosts_.cost() + step_.cost();
    for (const Operation& operation : predict_[0]) all = all + operation.cost;
    if (outlet_)
      for (const auto* operations : {&outlet_->predict(), &outlet_->correct()})
        for (const Operation& operation : *operations) all = all + operation.cost;
    return all;
  }

  FlowSystem& flow_;
  const Config threads_;
  const bool upwind_;
  StepLength step_;
  const StaggeredSweeps sweeps_;
  const Views velocities_;
  std::vector<Field> star_;                // u*, with the boundary velocity in the ghosts
  std::vector<std::vector<Field>> rates_;  // of this step and of the previous one
  Field other_temperature_, heat_rate_;
  PressureSolve pressure_;
  DeviceScalar square_;
  const double inverse_prandtl_;  // turbulent
  std::vector<Operation> predict_[2], rate_of_change_[2], squares_of_star_, squares_, largest_;
  std::vector<Operation> start_rates_;
  Operation square_heat_rate_, square_temperature_[2];
  Operation start_heat_, divergence_, correct_, divergence_left_, square_b_, largest_of_eddies_;
  std::optional<StaggeredOutlet> outlet_;
  std::vector<Operation> mean_velocities_, forces_;  // with a body only
  PeriodicGhosts star_ghosts_, velocity_ghosts_;
  std::optional<EddyModel> eddies_;
  double square_velocity_ = 0, largest_eddy_ = 0;
};

std::vector<FlowMethod> projection_methods(BackendKind kind) {
  if (CellKernel<MomentumFluxes>::methods(kind).empty()) return {};
  std::vector<FlowMethod> methods;
  for (const bool fused : {false, true}) {
    FlowMethod method{
        .name = fused ? "fused" : "plain",
        .space = {{{"check_interval", {10, 20, 50}, 10, between_looks}, convection}},
        .prepare = [=](FlowSystem& flow,
                       const Config& config) { return std::make_unique<Projection>(flow, config, fused); },
        .arrangement = Arrangement::staggered};
    if (kind == BackendKind::cuda) {
      method.space.settings.push_back(block_shape_setting());
      method.space.settings.push_back(sweep_method);
    }
    for (const auto& settings :
         {step_length_settings(), eddy_settings(), pressure_settings("multigrid", usual_sweeps)})
      for (const Setting& setting : settings) method.space.settings.push_back(setting);
    complete_flow_space(kind, method.space);
    complete_eddy_space(method.space);
    if (fused)
      method.space.require([](const Config& c) -> std::string {
        return has_eddies(c)
                   ? "method fused does not support eddy_viscosity: use method plain, or leave it out"
                   : "";
      });
    method.space.require([](const Config& c) -> std::string {
      if (!c.is("pressure_solver", "direct")) return "";
      if (c.real("pressure_tolerance") == 0 && c.integer("pressure_sweeps") == usual_sweeps) return "";
      return "pressure_solver=direct solves to rounding in one step: leave pressure_sweeps and "
             "pressure_tolerance out";
    });
    method.space.require([](const Config& c) -> std::string {
      if (!c.has(sweep_method.name) || c.is(sweep_method.name, "usual")) return "";
      if (c.is("pressure_solver", "sor") && c.real("pressure_tolerance") == 0) return "";
      return "sweep_method needs a fixed number of passes: set pressure_solver=sor and leave "
             "pressure_tolerance out";
    });
    method.space.require(graph_constraint);
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

FlowSolverDescription projection_solver() { return {"projection", projection_methods, 200000, true}; }

}  // namespace cfdmark
