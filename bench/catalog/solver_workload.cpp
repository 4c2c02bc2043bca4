#include "bench/catalog/solver_workload.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/catalog/case.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/solver_facts.hpp"
#include "bench/tune/tuned_levels.hpp"
#include "solvers/core/diverged_by.hpp"

namespace cfdmark {
namespace {

constexpr Index largest_grid_with_error_history = 300'000;  // each check downloads the solution

class SolverWorkload final : public Workload {
 public:
  SolverWorkload(const SolverDescription& solver, const SolverMethod& method, Backend& backend,
                 Precision precision, const Config& config, const Config& question,
                 std::shared_ptr<const LinearProblem> problem)
      : problem_(problem),
        tolerance_(question.real("tolerance")),
        max_iterations_(question.whole("max_iterations")),
        precision_(precision),
        levels_(tuning::tuned_levels(config, backend.id())),
        solver_(solver, method, backend, precision, config, problem,
                levels_ ? levels_->configs() : LevelConfigs()) {}

  void reset() override { solver_.reset(); }
  bool needs_reset() const override { return true; }
  // What is known of the verified solve's answer stays: it is the same.
  void run() override {
    Outcome next = solver_.solve(tolerance_, max_iterations_);
    if (!outcome_.results.empty()) next.results = std::move(outcome_.results);
    next.routines = std::move(outcome_.routines), next.level_times = std::move(outcome_.level_times);
    outcome_ = std::move(next);
  }

  Verification verify() override {
    reset();
    record_error_history(true);
    outcome_.results.clear();
    run();
    record_error_history(false);
    const HostField u = solver_.solution();
    first_residual_ = residual_norm(*problem_, problem_->initial);
    true_residual_ = relative(residual_norm(*problem_, u));
    for (NamedValue& result : results(*problem_, u)) outcome_.results.push_back(std::move(result));
    return judge(u);
  }

  // In a solve of its own, which is not timed as a whole.
  void time_routines() override {
    reset();
    Outcome timed = solver_.solve_by_routine(tolerance_, max_iterations_);
    outcome_.routines = std::move(timed.routines), outcome_.level_times = std::move(timed.level_times);
  }

  Cost cost() const override { return outcome_.cost; }
  Resources resources() const override { return solver_.solver().resources(); }
  std::size_t field_bytes() const override { return solver_.field_bytes(); }

  nlohmann::json solver_facts() override {
    nlohmann::json facts = facts_of(outcome_);
    facts["tolerance"] = tolerance_;
    facts["true_residual"] = true_residual_;
    facts["error_history"] = error_history_;
    if (levels_) facts["level_configs"] = levels_->found();
    facts["launches_per_iteration"] = resources().launches;
    return facts;
  }

 private:
  double relative(double residual) const { return first_residual_ == 0 ? 0 : residual / first_residual_; }

  // The maximum error at each check of the one run that is not timed.
  void record_error_history(bool on) {
    if (!on || problem_->grid.cells() > largest_grid_with_error_history) {
      solver_.solver().on_check = nullptr;
      return;
    }
    error_history_.clear();
    solver_.solver().on_check = [this](const Outcome& so_far) {
      error_history_.emplace_back(so_far.iterations, solution_error(*problem_, solver_.solution()).max);
    };
  }

  // The residual that the solver claims must be the one that a plain 64-bit evaluation finds, but for
  // rounding: that of the stored values and of one evaluation of A u, and in a recurrence as often as there
  // were iterations.
  Verification judge(const HostField& u) const {
    Verification v;
    v.check = "the claimed residual against b - A u in 64 bits";
    if (const auto iteration = diverged_by(outcome_)) {
      v.reason = fmt::format("diverged by iteration {}", *iteration);
      return v;
    }
    v.max_error = std::abs(true_residual_ - outcome_.relative_residual);
    const double unit = roundoff(precision_ == Precision::fp32 ? Precision::fp32 : Precision::fp64);
    const double magnitude = relative(2 * largest_diagonal() * norm(u));
    const double allowed =
        0.1 * outcome_.relative_residual + 8 * unit * magnitude * std::sqrt(1.0 + outcome_.iterations);
    v.passed = v.max_error <= allowed;  // false for NaN
    if (!v.passed)
      v.reason = fmt::format("the solver claims a relative residual of {:.3g}, but it is {:.3g}",
                             outcome_.relative_residual, true_residual_);
    return v;
  }

  double largest_diagonal() const {
    if (problem_->coefficients.empty()) return problem_->constant.centre;
    double largest = 0;
    const HostField& centre = problem_->coefficients.back();
    for_each_cell(problem_->grid, false,
                  [&](int i, int j, int k) { largest = std::max(largest, centre.get(i, j, k)); });
    return largest;
  }

  std::shared_ptr<const LinearProblem> problem_;
  double tolerance_;
  int max_iterations_;
  Precision precision_;
  std::unique_ptr<tuning::TunedLevels> levels_;
  PreparedSolver solver_;
  Outcome outcome_;
  double first_residual_ = 0, true_residual_ = 0;
  std::vector<std::pair<int, double>> error_history_;
};

}  // namespace

std::shared_ptr<const LinearProblem> shared_problem(const Config& question, const Grid& grid) {
  const ProblemDescription& problem = find_problem(question.word("problem"));
  Config settings = TuningSpace{problem.settings}.defaults();
  settings.take_known(question);
  return keep_problem(fmt::format("problem {} {} {}", problem.name, grid_text(grid), settings.text()),
                      [&] { return make_problem(problem, grid, settings); });
}

std::unique_ptr<Workload> make_solver_workload(const SolverDescription& solver, const SolverMethod& method,
                                               Backend& on, Precision precision, const Grid& grid,
                                               const Config& config, const Config& question) {
  return std::make_unique<SolverWorkload>(solver, method, on, precision, config, question,
                                          shared_problem(question, grid));
}

}  // namespace cfdmark
