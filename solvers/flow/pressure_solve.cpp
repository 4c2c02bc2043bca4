#include "solvers/flow/pressure_solve.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/flow/coupling.hpp"

namespace cfdmark {

PressureSolve::PressureSolve(FlowSystem& flow, const InnerSettings& settings, double omega,
                             const Config& given)
    : system_(flow.poisson_system()), arrays_(flow.pressure_arrays) {
  const Config config = threads_of(given);
  ghosts_ = {system_, flow.domain, {flow.p.view()}, config};
  if (settings.solver == "jacobi" && settings.tolerance > 0)
    throw std::invalid_argument("pressure_solver: jacobi ends after pressure_sweeps, by no tolerance");
  if (settings.tolerance == 0 && (settings.solver == "sor" || settings.solver == "jacobi")) {
    sweeps_ = settings.most;
    if (settings.solver == "sor")
      prepare_sweeps(flow, omega, config);
    else
      prepare_jacobi(config);
    return;
  }
  if (flow.domain.is_periodic())
    throw std::invalid_argument(
        "pressure_solver: between periodic sides it is sor, of which pressure_sweeps=100 are many, or "
        "jacobi, "
        "and pressure_tolerance 0");
  Config of_solver = given;
  if (settings.solver == "sor") of_solver.set("omega", omega);
  solve_ = std::make_unique<InnerSolve>(system_, settings, of_solver);
  if (flow.domain.anchor) hold(*flow.domain.anchor, config);
}

void PressureSolve::prepare_sweeps(FlowSystem& flow, double omega, const Config& config) {
  const auto methods = CellKernel<RedBlackSor>::methods(system_.backend->kind());
  const auto sweep_of = [&](ColourOrder order) {
    return CellArgs<RedBlackSor>{
        system_.precision, {.omega = omega, .order = order}, {system_.a, system_.u, system_.b}};
  };
  if (flow.domain.is_periodic()) {
    for (const ColourOrder order : {ColourOrder::red, ColourOrder::black})
      sweep_.push_back({prepare(system_, "solve p", methods.front(), sweep_of(order), config)});
    return;
  }
  // On a CPU both colours in one pass: the coefficients, most of what is read, are then read once.
  const auto fused =
      std::find_if(methods.begin(), methods.end(), [](const auto& m) { return m.name == "fused"; });
  const CellArgs<RedBlackSor> args = sweep_of(ColourOrder::red_black);
  sweep_ = {{prepare(system_, "solve p", fused != methods.end() ? *fused : default_method(methods, args),
                     args, config)}};
}

// Damped: the checkerboard, which only changes its sign in a sweep of Jacobi's, would stay for ever.
void PressureSolve::prepare_jacobi(const Config& config) {
  constexpr double damping = 0.8;
  relaxed_ = system_.new_field();
  const auto methods = CellKernel<Jacobi>::methods(system_.backend->kind());
  const CellArgs<Jacobi> args{system_.precision, {}, {system_.a, system_.u, system_.b, relaxed_.view()}};
  const Operations op(system_, config);
  sweep_ = {{prepare(system_, "solve p", methods.front(), args, config),
             op.update({damping}, relaxed_.view(), {1 - damping}, system_.u, "solve p")}};
}

void PressureSolve::hold(const std::array<int, 3>& cell, const Config& config) {
  const Operations op(system_, config);
  const auto clear = [&](const AnyView& of) {
    const AnyView one = of.box(cell[0], cell[1], cell[2], 1, 1);
    return op.scale({0}, one, one, "hold p");
  };
  for (std::size_t n = 0; n + 1 < arrays_.size(); ++n) start_.push_back(clear(arrays_[n].view()));
  start_.push_back(clear(system_.u));
  hold_ = {clear(system_.b)};
}

void PressureSolve::start() {
  for (const Operation& operation : start_) operation();
  ghosts_();
  if (solve_) solve_->reset();
}

void PressureSolve::operator()() {
  if (solve_) {
    for (const Operation& operation : hold_) operation();
    return (*solve_)();
  }
  sweep_.front().front().load();
  for (int n = 0; n < sweeps_; ++n)
    for (const auto& part : sweep_) {
      for (const Operation& operation : part) operation();
      ghosts_();
    }
  sweep_.front().front().store();
}

Cost PressureSolve::cost(int solves) const {
  Cost hold, sweep;
  for (const Operation& operation : hold_) hold = hold + operation.cost;
  if (solve_) return double(solves) * hold + solve_->cost(solves);
  for (const auto& part : sweep_) {
    for (const Operation& operation : part) sweep = sweep + operation.cost;
    sweep = sweep + ghosts_.cost();
  }
  return double(solves) * sweeps_ * sweep;
}

Resources PressureSolve::resources() const {
  Resources all;
  for (const Operation& operation : hold_) add_resources(all, operation.step);
  if (solve_) {
    add_resources(all, solve_->resources());
    return all;
  }
  for (const auto& part : sweep_)
    for (const Operation& operation : part) add_resources(all, operation.step);
  all.launches += int(sweep_.size()) * ghosts_.launches();
  all.launches *= sweeps_;
  return all;
}

}  // namespace cfdmark
