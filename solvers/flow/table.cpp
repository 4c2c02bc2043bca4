#include "solvers/flow/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

// Adds the Strouhal number f D / U if shedding is periodic. All problems have U = 1, so D follows from
// force_scale = rho U^2 D / 2.
void add_shedding(Outcome& outcome, double time_step, double force_scale) {
  std::vector<double> time, drag, lift;
  for (const auto& [iteration, results] : outcome.result_history) {
    for (const NamedValue& result : results) {
      if (result.name == "drag_coefficient") drag.push_back(result.value);
      if (result.name == "lift_coefficient") lift.push_back(result.value);
    }
    if (time.size() < lift.size()) time.push_back(iteration * time_step);
  }
  const auto shedding = find_shedding(time, drag, lift);
  if (!shedding) return;
  outcome.results.push_back({"strouhal_number", shedding->frequency * 2 * force_scale});
  outcome.results.push_back({"drag_coefficient_max", shedding->largest_drag});
  outcome.results.push_back({"lift_coefficient_max", shedding->largest_lift});
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
      solver_(std::make_unique<Solver>(backend, method.prepare(system_, config), config, &clock_)),
      field_bytes_(flow_bytes(method, backend.kind(), precision, problem_->grid, config,
                              problem_->has_wall_distances)) {}

void PreparedFlow::load(std::shared_ptr<const Problem> next) {
  const auto problem = as<FlowProblem>(next);
  if (problem->grid != problem_->grid || !same_domain(*problem, *problem_))
    throw std::invalid_argument(
        fmt::format("{} has another shape than {}: grid, fluid, sides and scales "
                    "must be the same",
                    problem->description->name, problem_->description->name));
  problem_ = problem;
}

void PreparedFlow::reset() {
  system_.upload(*problem_, problem_->start);
  system_.backend.fence();
}

void PreparedFlow::complete(Outcome& outcome) {
  iterations_ = outcome.iterations;
  if (system_.time_step > 0) add_shedding(outcome, system_.time_step, problem_->force_scale);
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

FlowFields PreparedFlow::solution() const {
  FlowFields flow = system_.download();
  flow.time = problem_->start.time + system_.elapsed.value_or(iterations_ * system_.time_step);
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
