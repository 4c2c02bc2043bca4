#include "solvers/krylov.hpp"

#include <cmath>

#include "solvers/recording.hpp"

namespace cfdmark {
namespace {

class KrylovSolver final : public Solver {
 public:
  KrylovSolver(Backend& backend, std::unique_ptr<KrylovIteration> iteration, const Config& config)
      : iteration_(std::move(iteration)),
        check_interval_(config.whole("check_interval")),
        recorded_iterations_(graph_iterations(config)),
        recorded_(backend, [this] { advance(recorded_iterations_); }) {}

  Outcome solve(double tolerance, int max_iterations) override {
    Outcome outcome;
    iteration_->start();
    now_ = 0;
    const double first = residual();
    check(outcome, first, first);
    while (!(outcome.converged = outcome.relative_residual <= tolerance) &&
           outcome.iterations < max_iterations && std::isfinite(outcome.relative_residual)) {
      const int steps = std::min(check_interval_, max_iterations - outcome.iterations);
      const int graphs = recorded_iterations_ == 1 ? 0 : steps / recorded_iterations_;
      for (int n = 0; n < graphs; ++n) recorded_();
      advance(steps - graphs * recorded_iterations_);
      outcome.iterations += steps;
      check(outcome, residual(), first);
    }
    outcome.cost = double(outcome.iterations) * iteration_->cost();
    return outcome;
  }

  Resources resources() const override { return iteration_->resources(); }

 private:
  void advance(int iterations) {
    for (int n = 0; n < iterations; ++n, now_ = 1 - now_) iteration_->iterate(now_);
  }

  double residual() { return std::sqrt(iteration_->squared_residual(now_)); }

  void check(Outcome& outcome, double residual, double first) const {
    outcome.relative_residual = first == 0 ? 0 : residual / first;
    outcome.history.emplace_back(outcome.iterations, outcome.relative_residual);
    if (on_check) on_check(outcome.iterations);
  }

  std::unique_ptr<KrylovIteration> iteration_;
  int check_interval_, recorded_iterations_;
  int now_ = 0;            // 0 before each recorded block: it is of an even number of iterations
  RecordedWork recorded_;  // behind the iteration, whose kernels it holds
};

}  // namespace

std::unique_ptr<Solver> krylov_solver(Backend& backend, std::unique_ptr<KrylovIteration> iteration,
                                      const Config& config) {
  return std::make_unique<KrylovSolver>(backend, std::move(iteration), config);
}

}  // namespace cfdmark
