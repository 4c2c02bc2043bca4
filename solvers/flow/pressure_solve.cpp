#include "solvers/flow/pressure_solve.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/flow/coupling.hpp"

namespace cfdmark {

PressureSolve::PressureSolve(FlowSystem& flow, const InnerSettings& settings, double omega,
                             const Config& config)
    : system_(flow.poisson_system()), arrays_(flow.pressure_arrays) {
  const bool is_periodic = flow.domain.periodic_x || flow.domain.periodic_y;
  ghosts_ = {system_, flow.domain, {flow.p.view()}, config};
  if (settings.solver == "sor" && settings.tolerance == 0) {
    sweeps_ = settings.most;
    prepare_sweeps(flow, omega, config);
    return;
  }
  if (is_periodic)
    throw std::invalid_argument(
        "pressure_solver: between periodic sides it is sor, of which pressure_sweeps=100 are many, and "
        "pressure_tolerance 0");
  Config of_solver = config;
  of_solver.set("omega", omega);
  solve_ = std::make_unique<InnerSolve>(system_, settings, settings.solver == "sor" ? of_solver : config);
  if (flow.domain.anchor) hold(*flow.domain.anchor, config);
}

void PressureSolve::prepare_sweeps(FlowSystem& flow, double omega, const Config& config) {
  const auto methods = CellKernel<RedBlackSor>::methods(system_.backend->kind());
  const auto sweep_of = [&](ColourOrder order) {
    return CellArgs<RedBlackSor>{
        system_.precision, {.omega = omega, .order = order}, {system_.a, system_.u, system_.b}};
  };
  if (flow.domain.periodic_x || flow.domain.periodic_y) {
    for (const ColourOrder order : {ColourOrder::red, ColourOrder::black})
      turn_.push_back(prepare(system_, "solve p", methods.front(), sweep_of(order), config));
    return;
  }
  // On a CPU both colours in one pass: the coefficients, most of what is read, are then read once.
  const auto fused =
      std::find_if(methods.begin(), methods.end(), [](const auto& m) { return m.name == "fused"; });
  const CellArgs<RedBlackSor> args = sweep_of(ColourOrder::red_black);
  turn_ = {prepare(system_, "solve p", fused != methods.end() ? *fused : default_method(methods, args), args,
                   config)};
}

void PressureSolve::hold(const std::array<int, 2>& cell, const Config& config) {
  const Operations op(system_, config);
  const auto clear = [&](const AnyView& of) {
    const AnyView one = of.box(cell[0], cell[1], 0, 1, 1);
    return op.scale({0}, one, one, "hold p");
  };
  for (int neighbour = 0; neighbour < 4; ++neighbour) start_.push_back(clear(arrays_[neighbour].view()));
  start_.push_back(clear(system_.u));
  hold_ = {clear(system_.b)};
}

void PressureSolve::start() {
  for (const Operation& operation : start_) operation();
  ghosts_();
}

void PressureSolve::operator()() {
  if (solve_) {
    for (const Operation& operation : hold_) operation();
    return (*solve_)();
  }
  turn_.front().load();
  for (int n = 0; n < sweeps_; ++n)
    for (const Operation& operation : turn_) {
      operation();
      ghosts_();
    }
  turn_.front().store();
}

Cost PressureSolve::cost() const {
  Cost all;
  for (const Operation& operation : hold_) all = all + operation.cost;
  if (solve_) return all + solve_->cost();
  for (const Operation& operation : turn_) all = all + operation.cost + ghosts_.cost();
  return double(sweeps_) * all;
}

Resources PressureSolve::resources() const {
  Resources all;
  for (const Operation& operation : hold_) add_resources(all, operation.step);
  if (solve_) {
    add_resources(all, solve_->resources());
    return all;
  }
  for (const Operation& operation : turn_) add_resources(all, operation.step);
  all.launches += int(turn_.size()) * ghosts_.launches();
  all.launches *= sweeps_;
  return all;
}

}  // namespace cfdmark
