#include "solvers/linear/krylov/preconditioner.hpp"

#include <stdexcept>

#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/stationary/red_black_sweep.hpp"

namespace cfdmark {
namespace {

// The residual is not rescaled for 32 bits: only values below 1e-38 underflow, far below any tolerance.
const Setting cycle_precision =
    choice_setting("preconditioner_precision", {"same", "fp32"}, "same",
                   "precision of the multigrid cycle: the solver's, or 32 bits in a 64-bit solver");

bool is_narrow(const System& system, const Config& config) {
  return system.precision == Precision::fp64 && config.is(cycle_precision.name, "fp32");
}

// Uses the first method, which is the textbook's.
Operation sweep_from_zero(const System& s, const Config& config) {
  const auto methods = CellKernel<RedBlackSor>::methods(s.backend->kind());
  return red_black_sweep(s, "precondition", methods.front(),
                         {.precision = s.precision,
                          .kernel = {.omega = 1, .order = ColourOrder::red_black_red},
                          .fields = {.a = s.stencil(), .u = s.u, .b = s.b}},
                         config);
}

}  // namespace

Preconditioner::Preconditioner(PreconditionerKind kind, const System& system, const Config& config,
                               bool symmetric) {
  if (kind == PreconditionerKind::none) return;
  if (kind == PreconditionerKind::diagonal) {
    inverse_diagonal_ = system.new_field();
    const AnyView inverse = inverse_diagonal_.view();
    const Operations op(system, config);
    diagonal_ = op.diagonal(inverse);
    sweep_ = op.sweep<Multiply>(
        "precondition",
        {.precision = system.precision, .fields = {.x = system.b, .y = inverse, .product = system.u}});
    return;
  }
  if (kind == PreconditionerKind::red_black) {
    clear_ = clear_unknown(system);
    sweep_ = sweep_from_zero(system, config);
    return;
  }
  System on = system;
  if (is_narrow(system, config)) {
    narrow_ = std::make_unique<OwnedSystem>(system, Precision::fp32);
    on = narrow_->system();
    const Operations op(system, config);
    narrow_operator_ = op.copy_operator(on);
    narrow_r_ = op.scale({1}, system.b, on.b, "to 32 bits");
    widen_z_ = op.scale({1}, on.u, system.u, "to 64 bits");
  }
  clear_ = clear_unknown(on);
  cycle_ = std::make_unique<MultigridCycle>(on, usual_smoothing(on), config, symmetric);
}

void Preconditioner::start() const {
  if (diagonal_.step.run) invert_diagonal();
  for (const Operation& narrow : narrow_operator_) narrow();
  if (cycle_) cycle_->start();
}
// On the host, once a solve.
void Preconditioner::invert_diagonal() const {
  diagonal_();
  HostField inverse = inverse_diagonal_.download();
  for_each_cell(inverse.grid(), false, [&](int i, int j, int k) {
    const double value = inverse.get(i, j, k);
    if (value == 0)
      throw std::invalid_argument(
          "the diagonal preconditioner needs an operator without zeros on its diagonal");
    inverse.set(i, j, k, 1 / value);
  });
  Field(inverse_diagonal_).upload(inverse);
}
void Preconditioner::operator()() const {
  clear_();
  if (!cycle_) {
    sweep_.load();
    sweep_();
    sweep_.store();
    return;
  }
  narrow_r_();
  (*cycle_)();
  widen_z_();
}
Cost Preconditioner::cost() const {
  return cycle_ ? narrow_r_.cost + cycle_->cost() + widen_z_.cost : sweep_.cost;
}
Cost Preconditioner::start_cost() const {
  Cost sum = cycle_ ? cycle_->start_cost() : Cost{};
  for (const Operation& narrow : narrow_operator_) sum = sum + narrow.cost;
  return sum;
}
Resources Preconditioner::resources() const {
  if (!cycle_) return sweep_.step.resources;
  Resources sum = cycle_->resources();
  for (const Operation* op : {&narrow_r_, &widen_z_}) add_resources(sum, op->step);
  return sum;
}

std::vector<SolverMethod> preconditioned_method(
    BackendKind kind, const std::string& name, PreconditionerKind preconditioner,
    std::function<std::unique_ptr<Iteration>(const System&, const Config&)> make, SourcePlace where) {
  const auto operator_methods = CellKernel<Apply>::methods(kind);
  if (operator_methods.empty()) return {};
  SolverMethod method{name, {}, std::move(make)};
  method.described_at = where;
  method.does_periodic = true;
  // All kernels use their default configs, except that the number of threads is common.
  if (const Setting* threads = find_setting(operator_methods.front().space.settings, "threads"))
    method.space.settings.push_back(*threads);
  if (preconditioner == PreconditionerKind::none || preconditioner == PreconditionerKind::diagonal)
    method.needs = OperatorForm::operations;
  const bool cycles = preconditioner == PreconditionerKind::multigrid;
  method.does_ranks = preconditioner == PreconditionerKind::red_black;
  if (cycles) {
    add_cycle_settings(kind, method.space);
    run_cycles_on_ranks(method);
    method.space.settings.push_back(cycle_precision);
    method.space.settings.back().values.clear();  // not tuned: it changes the last bits of the answer
  }
  method.space.settings.push_back(cycles ? cycle_interval : cg_interval);
  allow_graphs(kind, method);
  return {method};
}

}  // namespace cfdmark
