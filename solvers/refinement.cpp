#include "solvers/refinement.hpp"

#include <cmath>

#include "solvers/operations.hpp"

namespace cfdmark {
namespace {

// A 32-bit solve gains about this before rounding stops it; asking for more wastes iterations.
constexpr double inner_reduction = 1e-3;

class Refinement final : public Solver {
 public:
  Refinement(const System& outer, const LinearProblem& problem, const InnerSolver& make_inner,
             const Config& config)
      : outer_(outer),
        inner_system_(*outer.backend, Precision::fp32, problem),
        inner_(make_inner(inner_system_)),
        residual_norm_(outer, config),
        scale_(*outer.backend),
        norm_(*outer.backend) {
    const Operations op(outer, config);
    // Both read their factor from the backend's memory, where each round puts it.
    to_inner_ = op.scale({1, scale_.data()}, residual_norm_.residual(), inner_system_.b);
    add_correction_ = op.axpby({1, norm_.data()}, inner_system_.u, {1}, outer.u);
  }

  Outcome solve(double tolerance, int max_iterations) override {
    Outcome outcome;
    const double first = residual_norm_();
    check(outcome, first, first);
    double norm = first;
    while (!(outcome.converged = outcome.relative_residual <= tolerance) &&
           outcome.iterations < max_iterations && std::isfinite(norm)) {
      const double before = norm;
      refine(outcome, norm, tolerance / outcome.relative_residual, max_iterations);
      norm = residual_norm_();
      check(outcome, norm, first);
      if (norm >= before) break;  // rounding has the last word
    }
    return outcome;
  }

  Resources resources() const override { return inner_->resources(); }

 private:
  // One round: solves for the correction of the residual at hand, whose norm is given, and adds it.
  void refine(Outcome& outcome, double norm, double wanted, int max_iterations) {
    scale_.set(1 / norm);
    norm_.set(norm);
    to_inner_();
    outer_.backend->set_zero(inner_system_.u.data(), inner_system_.u.bytes());
    const Outcome inner =
        inner_->solve(std::max(inner_reduction, 0.5 * wanted), max_iterations - outcome.iterations);
    add_correction_();
    outcome.iterations += inner.iterations;
    outcome.cost = outcome.cost + inner.cost + to_inner_.cost + add_correction_.cost + residual_norm_.cost();
  }

  void check(Outcome& outcome, double norm, double first) {
    outcome.relative_residual = first == 0 ? 0 : norm / first;
    outcome.history.emplace_back(outcome.iterations, outcome.relative_residual);
    if (on_check) on_check(outcome.iterations);
  }

  const System& outer_;
  System inner_system_;
  std::unique_ptr<Solver> inner_;
  ResidualNorm residual_norm_;
  DeviceScalar scale_, norm_;  // 1 / norm of the residual, and the norm
  Operation to_inner_, add_correction_;
};

}  // namespace

std::unique_ptr<Solver> refinement_solver(const System& outer, const LinearProblem& problem,
                                          const InnerSolver& make_inner, const Config& config) {
  return std::make_unique<Refinement>(outer, problem, make_inner, config);
}

}  // namespace cfdmark
