#include "solvers/flow/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <tuple>

#include "kernels/device/backends/counting.hpp"
#include "solvers/flow/divergence.hpp"
#include "solvers/flow/eddy_model.hpp"
#include "solvers/flow/pressure_velocity.hpp"
#include "solvers/flow/shedding.hpp"

namespace cfdmark {

const std::vector<FlowSolverDescription>& flow_solver_table() {
  static const std::vector<FlowSolverDescription> table = {simple_solver(), piso_solver(),
                                                           projection_solver()};
  return table;
}

std::vector<std::string> flow_solver_names() {
  std::vector<std::string> names;
  for (const FlowSolverDescription& solver : flow_solver_table()) names.push_back(solver.name);
  return names;
}

const FlowSolverDescription* find_flow_solver(std::string_view name) {
  for (const FlowSolverDescription& solver : flow_solver_table())
    if (solver.name == name) return &solver;
  return nullptr;
}

namespace {

bool same_domain(const FlowDomain& a, const FlowDomain& b) {
  const auto parts = [](const FlowDomain& d) {
    const FluidCell& c = d.cell;
    return std::tuple(c.dx, c.dy, c.dz, c.density, c.viscosity, d.periodic_x, d.periodic_y, d.periodic_z,
                      d.driving_force, d.has_forces, d.has_wall_distances, d.speed, d.boundary_speeds,
                      d.mass_scale, d.force_scale, d.anchor, d.outflow, d.heat);
  };
  return parts(a) == parts(b);
}

double claimed(const Outcome& outcome, const std::string& name) {
  for (const NamedValue& residual : outcome.residuals)
    if (residual.name == name) return residual.value;
  throw std::logic_error("a flow solver without a residual of " + name);
}

// Compares the recomputed residuals with the solver's; they may differ by the rounding of each term.
void compare_residuals(Judgement& judgement, const Outcome& outcome, const FlowResiduals& found,
                       const Grid& g, Precision precision) {
  const double unit = roundoff(precision == Precision::fp64 ? Precision::fp64 : Precision::fp32);
  const double momentum = claimed(outcome, "momentum"), mass = claimed(outcome, "continuity_residual");
  const double momentum_off = std::abs(found.momentum - momentum), mass_off = std::abs(found.mass - mass);
  judgement.check = "the residuals of momentum and mass in 64 bits on one core";
  judgement.difference = std::max(momentum_off, mass_off);
  const bool agree = momentum_off <= 0.1 * momentum + 16 * unit &&
                     mass_off <= 0.1 * mass + 16 * unit * std::max({g.nx, g.ny, g.nz});  // false for NaN
  if (!agree)
    judgement.wrong = fmt::format(
        "the solver reports residuals of {:.3g} (momentum) and {:.3g} (continuity), but they are {:.3g} "
        "and {:.3g}",
        momentum, mass, found.momentum, found.mass);
}

// Adds the Strouhal number f D / U if shedding is periodic; else returns the reason. All problems have U = 1,
// so D follows from force_scale = rho U^2 D / 2. `time_at` returns the time of a residual check by its number
// and its iteration.
std::string add_shedding(Outcome& outcome, const std::function<double(std::size_t, int)>& time_at,
                         double force_scale) {
  std::vector<double> time, drag, lift;
  for (const auto& [iteration, results] : outcome.result_history) {
    for (const NamedValue& result : results) {
      if (result.name == "drag_coefficient") drag.push_back(result.value);
      if (result.name == "lift_coefficient") lift.push_back(result.value);
    }
    if (time.size() < lift.size()) time.push_back(time_at(time.size(), iteration));
  }
  const Shedding shedding = find_shedding(time, drag, lift);
  if (!shedding) return shedding.lacking;
  const double extent = 2 * force_scale;
  outcome.results.push_back({"strouhal_number", shedding.frequency * extent});
  outcome.results.push_back({"strouhal_uncertainty", shedding.uncertainty * extent});
  outcome.results.push_back({"shedding_periods", double(shedding.periods)});
  outcome.results.push_back({"drag_coefficient_max", shedding.largest_drag});
  outcome.results.push_back({"lift_coefficient_max", shedding.largest_lift});
  return "";
}

// Returns the config with residual checks close enough together for a Strouhal number: a divisor of its
// check_interval.
Config with_samples_of_lift(Config config, const FlowSystem& flow) {
  if (!(flow.domain.force_scale > 0) || !(flow.time_step > 0) || !(config.real("end_time") > 0))
    return config;
  const double most =
      longest_sample_distance(2 * flow.domain.force_scale / flow.domain.cell.density, 1) / flow.time_step;
  int interval = config.integer("check_interval");
  const int given = interval;
  while (interval > 1 && (interval > most || given % interval != 0)) --interval;
  config.set("check_interval", interval);
  return config;
}

}  // namespace

PreparedFlow::PreparedFlow(const FlowSolverDescription& solver, const FlowMethod& method, Backend& backend,
                           Precision precision, const Config& config,
                           std::shared_ptr<const FlowProblem> problem)
    : described_(solver),
      method_(method.name),
      config_(config),
      precision_(precision),
      problem_(std::move(problem)),
      system_(backend, precision, problem_->grid, *problem_, &clock_, method.arrangement),
      solver_(prepared_solver(backend, method)),
      field_bytes_(flow_bytes(method, backend.kind(), precision, problem_->grid, config,
                              problem_->has_wall_distances)) {}

std::unique_ptr<Solver> PreparedFlow::prepared_solver(Backend& backend, const FlowMethod& method) {
  if (const auto* continued = dynamic_cast<const ContinuedFlow*>(problem_.get()))
    system_.saved = &continued->saved;
  std::unique_ptr<Iteration> iteration = method.prepare(system_, config_);  // sets the time step
  state_ = dynamic_cast<HasState*>(iteration.get());
  return std::make_unique<Solver>(backend, std::move(iteration), with_samples_of_lift(config_, system_),
                                  &clock_);
}

void PreparedFlow::load(std::shared_ptr<const Problem> next) {
  const auto problem = as<FlowProblem>(next);
  if (system_.saved || dynamic_cast<const ContinuedFlow*>(problem.get()))
    throw std::invalid_argument(
        "a flow that continues from a saved state cannot be loaded into another solve");
  if (problem->grid != problem_->grid || !same_domain(*problem, *problem_))
    throw std::invalid_argument(
        fmt::format("{} has another shape than {}: grid, fluid, sides and scales "
                    "must be the same",
                    problem->description->name, problem_->description->name));
  problem_ = problem;
}

void PreparedFlow::reset() {
  system_.upload(*problem_, problem_->start);
  if (system_.saved) system_.restore();
  system_.backend.fence();
}

SavedFlow PreparedFlow::save(int iterations) {
  SavedFlow saved;
  saved.iterations = earlier_iterations() + iterations;
  saved.time = time_at(iterations) - problem_->start.time;
  for (const auto& [name, field] : system_.state()) saved.add(name, *field);
  if (state_) state_->save(saved);
  return saved;
}

void PreparedFlow::complete(Outcome& outcome) {
  iterations_ = outcome.iterations;
  no_shedding_.clear();
  if (!(system_.time_step > 0) || !(problem_->force_scale > 0)) return;
  const auto time_of = [this](std::size_t check, int iteration) {
    return check < system_.check_times.size() ? system_.check_times[check] : time_at(iteration);
  };
  no_shedding_ = add_shedding(outcome, time_of, problem_->force_scale);
}

Judgement PreparedFlow::verify(Outcome& outcome, double tolerance) {
  Judgement judgement;
  const FlowFields flow = solution();
  if (const auto found = find_divergence(*this, *problem_, outcome)) {
    judgement.check = "that the flow stays finite, and slower than a hundred times what is expected";
    judgement.wrong = fmt::format("diverged in iteration {}", found->last_good + 1);
    return judgement;
  }
  for (NamedValue& result : flow_results(*problem_, flow)) outcome.results.push_back(std::move(result));
  const FlowResiduals found = flow_residuals(described_, method_, config_, *problem_, flow);
  judgement.true_residual = std::max(found.momentum, found.mass);
  judgement.converged = has_converged(outcome, found, config_, tolerance);
  judgement.residuals = {{"momentum", found.momentum}, {"continuity_residual", found.mass}};
  if (config_.has("courant")) judgement.facts = {{"inner_residual", found.momentum_left}};
  judgement.published = comparable_values(*problem_, config_, flow.time);
  compare_residuals(judgement, outcome, found, problem_->grid, precision_);
  return judgement;
}

double PreparedFlow::time_at(int iterations) const {
  return problem_->start.time +
         system_.elapsed.value_or((earlier_iterations() + iterations) * system_.time_step);
}

FlowFields PreparedFlow::solution_at(int iterations) const {
  FlowFields flow = system_.download();
  flow.time = time_at(iterations);
  return flow;
}

std::size_t flow_bytes(const FlowMethod& method, BackendKind kind, Precision precision, const Grid& grid,
                       const Config& config, bool has_wall_distances) {
  return counted_bytes(kind, [&](Backend& counting) {
    FlowDomain with_everything;
    with_everything.force_scale = 1;
    with_everything.anchor = {0, 0, 0};
    if (method.arrangement == Arrangement::staggered) {
      // Flows with eddies have heat only if the config says so.
      if (!has_eddies(config) || sets_turbulent_prandtl(config)) with_everything.heat = Heat{};
      with_everything.driving_force = 1;
      if (!grid.is_3d() && !with_everything.heat)
        with_everything.outflow = Outflow{.i = grid.nx, .faces = grid.ny};
    } else {
      with_everything.has_wall_distances = has_wall_distances;
      with_everything.outflow = Outflow{.i = grid.nx, .faces = grid.ny};
    }
    FlowSystem system(counting, precision, grid, with_everything, nullptr, method.arrangement);
    if (method.prepare) method.prepare(system, config);
  });
}

FlowResiduals flow_residuals(const FlowSolverDescription& solver, const std::string& method,
                             const Config& config, const FlowProblem& problem, const FlowFields& flow) {
  const std::vector<FlowMethod> methods = solver.methods(BackendKind::serial);
  const auto same =
      std::find_if(methods.begin(), methods.end(), [&](const FlowMethod& m) { return m.name == method; });
  if (same == methods.end()) throw std::logic_error("no serial method " + method + " of " + solver.name);
  const Config known = same->space.filled(config);
  FlowSystem system(backend(BackendKind::serial), Precision::fp64, problem.grid, problem, nullptr,
                    same->arrangement);
  system.upload(problem, flow);
  system.is_only_checked = true;
  const auto iteration = same->prepare(system, known);
  iteration->start();
  FlowResiduals residuals;
  for (const NamedValue& r : iteration->residuals())
    if (r.name == "momentum") residuals.momentum = r.value;
  if (solver.name == "piso")
    residuals.momentum_left = dynamic_cast<PressureVelocity&>(*iteration).momentum_left();
  double square = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int k) {
    if (CellFaces{int(problem.faces.get(i, j, k))}.is_solid()) return;
    double lost = flow.mass_x.get(i, j, k) - flow.mass_x.get(i + 1, j, k) + flow.mass_y.get(i, j, k) -
                  flow.mass_y.get(i, j + 1, k);
    if (problem.grid.is_3d()) lost += flow.mass_z.get(i, j, k) - flow.mass_z.get(i, j, k + 1);
    square += lost * lost;
  });
  residuals.mass = std::sqrt(square * double(problem.grid.cells())) / problem.mass_scale;
  return residuals;
}

std::vector<PublishedValue> comparable_values(const FlowProblem& problem, const Config& config, double time) {
  std::vector<PublishedValue> known = published_values(problem, time);
  if (config.has("end_time") && config.real("end_time") > 0)
    std::erase_if(known, [](const PublishedValue& value) { return value.time == 0; });
  // Published Nusselt numbers exclude turbulent transport.
  if (config.has("eddy_viscosity") && !config.is("eddy_viscosity", "none"))
    std::erase_if(known, [](const PublishedValue& value) { return value.name.starts_with("nusselt"); });
  return known;
}

bool has_converged(const Outcome& outcome, const FlowResiduals& found, const Config& config,
                   double tolerance) {
  if (config.has("end_time") && config.real("end_time") > 0) return outcome.converged;
  bool others = true;
  for (const NamedValue& residual : outcome.residuals)
    if (residual.name != "momentum" && residual.name != "continuity_residual")
      others = others && is_converged(residual.value, tolerance);
  return others && is_converged(found.momentum, tolerance) && is_converged(found.mass, tolerance);
}

}  // namespace cfdmark
