#include "solvers/linear/refinement.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernels/device/backends/counting.hpp"
#include "solvers/base/solver.hpp"
#include "solvers/linear/system/null_space.hpp"

namespace cfdmark {
namespace {

// Reduction of one 32-bit solve. Rounding stops it near this value, so a smaller one would waste iterations.
constexpr double inner_reduction = 1e-3;
// The same of a solve in 64 bits with a matrix in 32: rounding the matrix alone leaves about 1e-6 on meshes,
// and each restart of conjugate gradients costs iterations.
constexpr double rounded_matrix_reduction = 1e-5;

// Each call of advance() is one round of refinement.
class Refinement final : public Iteration {
 public:
  Refinement(const System& outer, const SolverMethod& method, const Config& config,
             std::shared_ptr<const LinearOperator> inner)
      : backend_(*outer.backend),
        inner_system_(inner ? OwnedSystem(backend_, outer.precision, outer.grid(), inner, outer.clock)
                            : OwnedSystem(outer, Precision::fp32)),
        round_arrays_(inner ? std::vector<Operation>()
                            : Operations(outer, config).copy_operator(inner_system_.system())),
        inner_(backend_, prepare_iteration(method, inner_system(method), config), config, outer.clock),
        r_(outer.new_field()),
        reduction_(inner ? rounded_matrix_reduction : inner_reduction),
        rr_(backend_),
        scale_(backend_),
        factor_(backend_) {
    inner_.ends_when_stalled = true;
    const Operations op(outer, config);
    residual_ = op.residual(outer.u, outer.b, r_.view());
    dot_ = op.dot(r_.view(), r_.view(), rr_);
    const char* const routine = inner ? "scale" : "to 32 bits";
    // Scale factors are read from the backend's memory, where each round stores them.
    to_inner_ = op.scale({1, scale_.data()}, r_.view(), inner_system_.b().view(), routine);
    add_correction_ = op.update({1, factor_.data()}, inner_system_.u().view(), {1}, outer.u, "correct");
  }

  void start() override {
    for (const Operation& round : round_arrays_) round();
    norm_ = before_ = std::numeric_limits<double>::infinity();
    spent_ = {};
    for (const Operation& round : round_arrays_) spent_ = spent_ + round.cost;
  }

  // Solves for the correction of the present residual and adds it.
  int advance(int most, double reduction) override {
    scale_.set(1 / norm_);
    factor_.set(norm_);
    to_inner_();
    backend_.set_zero(inner_system_.u().data(), inner_system_.u().bytes());
    const Outcome inner = inner_.solve(std::max(reduction_, 0.5 * reduction), most);
    add_correction_();
    spent_ = spent_ + inner.cost + to_inner_.cost + add_correction_.cost;
    return inner.iterations;
  }

  void operator_changed() override {
    for (const Operation& round : round_arrays_) round();
    inner_.operator_changed();
  }
  std::vector<NamedValue> residuals() override {
    before_ = norm_;
    residual_();
    dot_();
    norm_ = std::sqrt(rr_.get());
    return linear_residual(norm_);
  }
  bool has_stalled() const override { return norm_ >= before_; }
  Cost cost(int) const override { return spent_; }
  Cost check_cost() const override { return residual_.cost + dot_.cost; }
  Resources resources() const override { return inner_.resources(); }

 private:
  // Some methods read the values of the matrix while they are prepared, so they must be rounded before.
  const System& inner_system(const SolverMethod& method) const {
    if ((method.library || method.reads_values_once) && holds_values(backend_))
      for (const Operation& round : round_arrays_) round();
    return inner_system_.system();
  }

  Backend& backend_;
  OwnedSystem inner_system_;
  std::vector<Operation> round_arrays_;
  Solver inner_;
  Field r_;                           // residual of the outer system
  double reduction_;                  // of one inner solve
  DeviceScalar rr_, scale_, factor_;  // squared residual norm, 1 / norm, norm
  Operation residual_, dot_, to_inner_, add_correction_;
  double norm_ = 0, before_ = 0;
  Cost spent_;
};

}  // namespace

std::unique_ptr<Iteration> refinement(const System& outer, const SolverMethod& method, const Config& config,
                                      std::shared_ptr<const LinearOperator> inner) {
  return std::make_unique<Refinement>(outer, method, config, std::move(inner));
}

std::unique_ptr<Solver> linear_solver(const System& system, const SolverMethod& method, Precision precision,
                                      const Config& config) {
  if (precision != Precision::mixed)
    return std::make_unique<Solver>(*system.backend, prepare_iteration(method, system, config), config,
                                    system.clock);
  const MakeIteration refine = [&](const System& on) { return refinement(on, method, config); };
  return std::make_unique<Solver>(*system.backend, without_constant(system, config, refine), Config{},
                                  system.clock);
}

void require_supported(const SolverMethod& method, const SystemShape& shape) {
  if (const std::string reason = method.why_unsupported(shape); !reason.empty())
    throw std::invalid_argument(fmt::format("{}: {}", method.name, reason));
}

// Claimed and true residual differ by rounding: of the stored values, of one evaluation of A u, and in a
// recurrence by a term that grows with the square root of the iterations.
Judgement judge_linear(const Outcome& outcome, const LinearNorms& norms, Precision precision,
                       double tolerance) {
  const double unit = roundoff(precision == Precision::fp32 ? Precision::fp32 : Precision::fp64);
  const double magnitude =
      norms.first == 0 ? 0 : 2 * norms.largest_diagonal * norms.norm_of_answer / norms.first;
  const double allowed =
      0.1 * outcome.relative_residual + 8 * unit * magnitude * std::sqrt(1.0 + outcome.iterations);
  Judgement judgement =
      cfdmark::judge(outcome, relative_to_first(norms.last, norms.first), tolerance, allowed);
  judgement.check = "the claimed residual against b - A u in 64 bits";
  return judgement;
}

}  // namespace cfdmark
