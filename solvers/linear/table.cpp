#include "solvers/linear/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/device/backends/counting.hpp"
#include "solvers/base/words.hpp"
#include "solvers/linear/libraries/ginkgo.hpp"
#include "solvers/linear/libraries/hypre.hpp"
#include "solvers/linear/refinement.hpp"
#include "solvers/linear/system/null_space.hpp"

namespace cfdmark {
namespace {

constexpr Index largest_grid_with_error_history = 300'000;  // each check downloads the solution

Operator operator_of(const LinearProblem& problem) {
  Operator a = problem.constant;
  a.constant = problem.coefficients.empty();
  return a;
}

SystemShape shape_of(const LinearProblem& problem, Precision precision) {
  return {problem.grid, problem.coefficients.empty(), precision, sides_of(*problem.description)};
}

bool same_weights(const Operator& a, const Operator& b) {
  return a.centre == b.centre && a.wx == b.wx && a.wy == b.wy && a.wz == b.wz;
}

double largest_diagonal(const LinearProblem& problem) {
  if (problem.coefficients.empty()) return problem.constant.centre;
  double largest = 0;
  const HostField& centre = problem.coefficients.back();
  for_each_cell(problem.grid, false,
                [&](int i, int j, int k) { largest = std::max(largest, centre.get(i, j, k)); });
  return largest;
}

}  // namespace

void allow_graphs(BackendKind kind, SolverMethod& method) {
  if (kind != BackendKind::cuda) return;
  method.space.settings.push_back(graph_iterations_setting);
  method.space.require(graph_constraint);
}

SolverMethod missing_method(std::string name, std::string why) {
  SolverMethod method{std::move(name), {}, nullptr};
  method.unsupported = [why = std::move(why)](const SystemShape&) { return why; };
  method.library = true;
  method.needs = OperatorForm::operations;  // so that its own reason is reported
  return method;
}

const std::vector<SolverDescription>& solver_table() {
  static const std::vector<SolverDescription> table = {
      jacobi_solver(),   gauss_seidel_solver(), sor_solver(),    cg_solver(),    pcg_solver(),
      bicgstab_solver(), multigrid_solver(),    direct_solver(), hypre_solver(), ginkgo_solver()};
  return table;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverDescription& solver : solver_table()) names.push_back(solver.name);
  return names;
}

const SolverMethod& default_solver_method(const std::vector<SolverMethod>& methods,
                                          const SystemShape& shape) {
  const auto chosen = default_choice(
      methods, [&](const auto& m) { return m.why_unsupported(shape).empty(); },
      [&](const auto& m) { return m.is_preferred(shape); });
  if (chosen == methods.end()) throw std::invalid_argument("no method of this solver supports the system");
  return *chosen;
}

std::string refusal(const SolverDescription& solver, const ProblemDescription& problem) {
  if (solver.needs_symmetry && !problem.symmetric)
    return fmt::format("{} needs a symmetric operator, but that of {} is unsymmetric; use bicgstab",
                       solver.name, problem.name);
  if (solver.needs_held_value && is_singular(problem))
    return fmt::format("{} does not support {}, which is singular: {}", solver.name, problem.name,
                       solver.needs_held_value);
  const Boundaries& at = problem.boundaries;
  std::vector<std::pair<const char*, BoundaryKind>> sides = {
      {"west", at.west}, {"east", at.east}, {"south", at.south}, {"north", at.north}};
  if (problem.in_3d) sides.insert(sides.end(), {{"bottom", at.bottom}, {"top", at.top}});
  const auto can = [&](BoundaryKind kind) {
    return std::count(solver.boundaries.begin(), solver.boundaries.end(), kind) > 0;
  };
  for (const auto& [side, kind] : sides) {
    if (can(kind)) continue;
    std::vector<std::string> able;
    for (BoundaryKind b : solver.boundaries) able.emplace_back(to_string(b));
    return fmt::format("{} does not support the {} boundary of {} in the {}; it supports {}", solver.name,
                       to_string(kind), problem.name, side, listed(able));
  }
  return "";
}

PreparedSolver::PreparedSolver(const SolverDescription& solver, const SolverMethod& method, Backend& backend,
                               Precision precision, const Config& config,
                               std::shared_ptr<const LinearProblem> problem,
                               const LevelConfigs& level_configs)
    : problem_(std::move(problem)),
      precision_(precision),
      initial_(converted(problem_->initial, outer_precision(precision))),
      system_(backend, outer_precision(precision), problem_->grid, operator_of(*problem_), &clock_,
              sides_of(*problem_->description)) {
  if (const std::string reason = refusal(solver, *problem_->description); !reason.empty())
    throw std::invalid_argument(reason);
  const SystemShape shape = shape_of(*problem_, precision);
  require_supported(method, shape);
  system_.upload(*problem_);
  System system = system_.system();
  system.level_configs = &level_configs;
  solver_ = linear_solver(system, method, precision, config);
  field_bytes_ = solver_bytes(method, backend.kind(), shape, config);
}

void PreparedSolver::load(std::shared_ptr<const Problem> next) {
  const auto problem = as<LinearProblem>(next);
  const SystemShape ours = shape_of(*problem_, precision_), theirs = shape_of(*problem, precision_);
  if (ours != theirs || !same_weights(problem_->constant, problem->constant))
    throw std::invalid_argument(
        fmt::format("{} has another shape than {}: grid, sides and constant "
                    "coefficients must be the same",
                    problem->description->name, problem_->description->name));
  problem_ = problem;
  initial_ = converted(problem_->initial, outer_precision(precision_));
  system_.upload(*problem_);
  if (!problem_->coefficients.empty()) solver_->operator_changed();
}

void PreparedSolver::reset() {
  system_.upload_start(initial_);
  system_.system().backend->fence();
}

Judgement PreparedSolver::verify(Outcome& outcome, double tolerance) {
  const HostField u = solution();
  for (NamedValue& result : results(*problem_, u)) outcome.results.push_back(std::move(result));
  return judge(outcome, u, tolerance);
}

std::function<double()> PreparedSolver::error() const {
  if (problem_->grid.cells() > largest_grid_with_error_history) return nullptr;
  return [this] { return solution_error(*problem_, solution()).max; };
}

Judgement PreparedSolver::judge(const Outcome& outcome, const HostField& u, double tolerance) const {
  return judge_linear(outcome,
                      {.first = residual_norm(*problem_, problem_->initial),
                       .last = residual_norm(*problem_, u),
                       .largest_diagonal = largest_diagonal(*problem_),
                       .norm_of_answer = norm(u)},
                      precision_, tolerance);
}

std::size_t solver_bytes(const SolverMethod& method, BackendKind kind, const SystemShape& shape,
                         const Config& config) {
  require_supported(method, shape);
  return counted_bytes(kind, [&](Backend& counting) {
    Operator a = minus_laplacian(shape.grid, shape.sides.of_cells);
    a.constant = shape.constant_operator;
    const OwnedSystem system(counting, outer_precision(shape.precision), shape.grid, a, nullptr, shape.sides);
    if (method.prepare) linear_solver(system.system(), method, shape.precision, config);
  });
}

}  // namespace cfdmark
