#include "solvers/flow/table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/device/backends/counting.hpp"
#include "solvers/base/convergence.hpp"
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

PreparedFlow::PreparedFlow(const FlowMethod& method, Backend& backend, Precision precision,
                           const Config& config, std::shared_ptr<const FlowProblem> problem)
    : problem_(std::move(problem)),
      system_(backend, precision, problem_->grid, *problem_, &clock_, method.arrangement),
      solver_(std::make_unique<Solver>(backend, method.prepare(system_, config), config, &clock_)) {}

void PreparedFlow::reset() {
  system_.upload(*problem_, problem_->start);
  system_.backend.fence();
}

Outcome PreparedFlow::solve(double tolerance, int max_iterations) {
  Outcome outcome = solver_->solve(tolerance, max_iterations);
  iterations_ = outcome.iterations;
  if (system_.time_step > 0) add_shedding(outcome);
  return outcome;
}

// Adds the Strouhal number f D / U if shedding is periodic. All problems have U = 1, so D follows from
// force_scale = rho U^2 D / 2.
void PreparedFlow::add_shedding(Outcome& outcome) const {
  std::vector<double> time, drag, lift;
  for (const auto& [iteration, results] : outcome.result_history) {
    for (const NamedValue& result : results) {
      if (result.name == "drag_coefficient") drag.push_back(result.value);
      if (result.name == "lift_coefficient") lift.push_back(result.value);
    }
    if (time.size() < lift.size()) time.push_back(iteration * system_.time_step);
  }
  const auto shedding = find_shedding(time, drag, lift);
  if (!shedding) return;
  outcome.results.push_back({"strouhal_number", shedding->frequency * 2 * problem_->force_scale});
  outcome.results.push_back({"drag_coefficient_max", shedding->largest_drag});
  outcome.results.push_back({"lift_coefficient_max", shedding->largest_lift});
}

FlowFields PreparedFlow::solution() const {
  FlowFields flow = system_.download();
  flow.time = problem_->start.time + system_.elapsed.value_or(iterations_ * system_.time_step);
  return flow;
}

Outcome PreparedFlow::solve_by_routine(double tolerance, int max_iterations) {
  clock_.start();
  Outcome outcome = solve(tolerance, max_iterations);
  clock_.stop();
  return outcome;
}

std::size_t flow_bytes(const FlowMethod& method, BackendKind kind, Precision precision, const Grid& grid,
                       const Config& config) {
  return counted_bytes(kind, [&](Backend& counting) {
    FlowDomain with_everything;
    with_everything.force_scale = 1;
    with_everything.anchor = {0, 0, 0};
    if (method.arrangement == Arrangement::staggered) {
      if (!has_eddies(config)) with_everything.heat = Heat{};  // the two exclude each other
      with_everything.driving_force = 1;
    } else {
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
  Config known = same->space.defaults();
  known.take_known(config);
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
