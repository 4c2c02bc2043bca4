#include "solvers/linear/preconditioner.hpp"

#include "solvers/linear/cg.hpp"

namespace cfdmark {
namespace {

// By the first method, the textbook's. Between periodic sides a colour at a time, for whose sake ghosts are
// filled.
Operation red_black_sweep(const System& s, const Config& config) {
  const auto methods = CellKernel<RedBlackSor>::methods(s.backend->kind());
  const auto sweep = [&](ColourOrder order) {
    const CellArgs<RedBlackSor> args{s.precision, {.omega = 1, .order = order}, {s.a, s.u, s.b}};
    return Operations(s, config).around(s.u, prepare(s, "precondition", methods.front(), args, config));
  };
  if (!s.sides.are_periodic()) return sweep(ColourOrder::red_black_red);
  const Operation red = sweep(ColourOrder::red), black = sweep(ColourOrder::black);
  Operation all = red;
  all.step = in_turn(in_turn(red.step, black.step), red.step);
  all.cost = 2.0 * red.cost + black.cost;
  return all;
}

}  // namespace

Preconditioner::Preconditioner(PreconditionerKind kind, const System& system, const Config& config,
                               bool symmetric) {
  if (kind == PreconditionerKind::none) return;
  clear_ = clear_unknown(system);
  if (kind == PreconditionerKind::red_black)
    sweep_ = red_black_sweep(system, config);
  else
    cycle_ = std::make_unique<MultigridCycle>(system, usual_smoothing(system), config, symmetric);
}

void Preconditioner::start() const {
  if (cycle_) cycle_->start();
}
void Preconditioner::operator()() const {
  clear_();
  sweep_.load();
  sweep_();
  sweep_.store();
  if (cycle_) (*cycle_)();
}
Cost Preconditioner::cost() const { return cycle_ ? cycle_->cost() : sweep_.cost; }
Cost Preconditioner::start_cost() const { return cycle_ ? cycle_->start_cost() : Cost{}; }
Resources Preconditioner::resources() const {
  if (cycle_) return cycle_->resources();
  return sweep_.step.resources;
}

std::vector<SolverMethod> preconditioned_method(
    BackendKind kind, const std::string& name, PreconditionerKind preconditioner,
    std::function<std::unique_ptr<Iteration>(const System&, const Config&)> make, SourcePlace where) {
  const auto operator_methods = CellKernel<Apply>::methods(kind);
  if (operator_methods.empty()) return {};
  SolverMethod method{name, {}, std::move(make)};
  method.described_at = where;
  method.does_periodic = true;
  // The kernels keep their defaults; the number of threads is one for all of them.
  if (const Setting* threads = find_setting(operator_methods.front().space.settings, "threads"))
    method.space.settings.push_back(*threads);
  const bool cycles = preconditioner == PreconditionerKind::multigrid;
  if (cycles) add_cycle_settings(kind, method.space);
  method.space.settings.push_back(cycles ? cycle_interval : cg_interval);
  allow_graphs(kind, method);
  return {method};
}

}  // namespace cfdmark
