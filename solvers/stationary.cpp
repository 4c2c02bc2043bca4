#include "solvers/stationary.hpp"

#include <cmath>

#include "kernels/gauss_seidel/gauss_seidel.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/recording.hpp"

namespace cfdmark {
namespace {

// Sweeps that update u in place.
Relaxation in_place(Operation sweep) {
  Relaxation r{.advance =
                   [run = sweep.step.run](int sweeps) {
                     for (int n = 0; n < sweeps; ++n) run();
                   },
               .load = sweep.step.load,
               .store = sweep.step.store,
               .sweep_cost = sweep.cost,
               .resources = {}};
  add_resources(r.resources, sweep.step);
  return r;
}

class StationarySolver final : public Solver {
 public:
  StationarySolver(const System& system, Relaxation relaxation, int check_interval, const Config& config)
      : relaxation_(std::move(relaxation)),
        residual_norm_(system, config),
        check_interval_(check_interval),
        recorded_sweeps_(graph_iterations(config)),
        recorded_(*system.backend, [this] { relaxation_.advance(recorded_sweeps_); }) {}

  Outcome solve(double tolerance, int max_iterations) override {
    Outcome outcome;
    const double first = residual_norm_();
    record(outcome, 0, first, first);
    if (relaxation_.load) relaxation_.load();
    while (!(outcome.converged = outcome.relative_residual <= tolerance) &&
           outcome.iterations < max_iterations && std::isfinite(outcome.relative_residual)) {
      const int sweeps = std::min(check_interval_, max_iterations - outcome.iterations);
      const int graphs = recorded_sweeps_ == 1 ? 0 : sweeps / recorded_sweeps_;
      for (int n = 0; n < graphs; ++n) recorded_();
      relaxation_.advance(sweeps - graphs * recorded_sweeps_);
      if (relaxation_.store) relaxation_.store();
      record(outcome, sweeps, residual_norm_(), first);
    }
    return outcome;
  }

  Resources resources() const override { return relaxation_.resources; }

 private:
  void record(Outcome& outcome, int sweeps, double residual, double first) {
    outcome.iterations += sweeps;
    outcome.relative_residual = first == 0 ? 0 : residual / first;
    outcome.history.emplace_back(outcome.iterations, outcome.relative_residual);
    outcome.cost = outcome.cost + double(sweeps) * relaxation_.sweep_cost + residual_norm_.cost();
    if (on_check) on_check(outcome.iterations);
  }

  Relaxation relaxation_;
  ResidualNorm residual_norm_;
  int check_interval_, recorded_sweeps_;
  RecordedWork recorded_;  // behind the relaxation, whose kernels it holds
};

}  // namespace

Relaxation jacobi_relaxation(const System& system, const std::string& method, const Config& config) {
  // The second field needs the same ghost layer: its boundary values are copied from u at load.
  const Field other = system.new_field();
  auto sweep = [&](const Field& from, const Field& to) {
    const CellArgs<Jacobi> args{system.precision, {}, {system.a, from.view(), system.b.view(), to.view()}};
    return prepare(method, *system.backend, args, config);
  };
  const Operation there = sweep(system.u, other), back = sweep(other, system.u);
  const Operation copy_back = Operations(system, config).scale({1}, other, system.u);
  auto in_other = std::make_shared<bool>(false);
  Relaxation r{.advance =
                   [=](int sweeps) {
                     for (int n = 0; n < sweeps; ++n, *in_other = !*in_other) (*in_other ? back : there)();
                   },
               .load =
                   [=, u = system.u] {
                     *in_other = false;
                     other.copy_from(u);
                   },
               .store =
                   [=] {
                     if (*in_other) copy_back();
                     *in_other = false;
                   },
               .sweep_cost = there.cost,
               .resources = {}};
  add_resources(r.resources, there.step);
  return r;
}

Relaxation gauss_seidel_relaxation(const System& system, const std::string& method, const Config& config) {
  const CellArgs<GaussSeidel> args{system.precision, {}, {system.a, system.u.view(), system.b.view()}};
  return in_place(prepare(method, *system.backend, args, config));
}

Relaxation red_black_relaxation(const System& system, const std::string& method, const Config& config,
                                double omega) {
  const CellArgs<RedBlackSor> args{
      system.precision, {.omega = omega}, {system.a, system.u.view(), system.b.view()}};
  return in_place(prepare(method, *system.backend, args, config));
}

std::unique_ptr<Solver> stationary_solver(const System& system, Relaxation relaxation, int check_interval,
                                          const Config& config) {
  return std::make_unique<StationarySolver>(system, std::move(relaxation), check_interval, config);
}

}  // namespace cfdmark
