#include "bench/catalog/solver_workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/case/case.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/solver_facts.hpp"

namespace cfdmark {
namespace {

constexpr Index largest_grid_with_error_history = 300'000;  // each check downloads the solution

std::function<LevelLookup(const Config&, DeviceId)>& level_lookup() {
  static std::function<LevelLookup(const Config&, DeviceId)> lookup = [](const Config&, DeviceId) {
    return LevelLookup();
  };
  return lookup;
}

class SolverWorkload final : public Workload {
 public:
  SolverWorkload(const SolverDescription& solver, const SolverMethod& method, Backend& backend,
                 Precision precision, const Config& config, const Config& workload,
                 std::shared_ptr<const LinearProblem> problem)
      : problem_(problem),
        tolerance_(workload.real("tolerance")),
        max_iterations_(workload.integer("max_iterations")),
        levels_(level_lookup()(config, backend.id())),
        solver_(solver, method, backend, precision, config, problem, levels_.configs) {}

  void reset() override { solver_.reset(); }
  bool needs_reset() const override { return true; }
  void run() override { solve_.add(solver_.solve(tolerance_, max_iterations_)); }
  int iterations() const override { return solve_.iterations(); }

  Verification verify() override {
    reset();
    record_error_history(true);
    solve_.describe(solver_.solve(tolerance_, max_iterations_));
    record_error_history(false);
    const HostField u = solver_.solution();
    for (NamedValue& result : results(*problem_, u)) solve_.outcome().results.push_back(std::move(result));
    judgement_ = solver_.judge(solve_.outcome(), u, tolerance_);
    return verification_of(*judgement_, "the claimed residual against b - A u in 64 bits");
  }

  // Runs a separate solve, which is not timed as a whole.
  void time_routines() override {
    reset();
    solve_.take_routines(solver_.solve_by_routine(tolerance_, max_iterations_));
  }

  Cost cost() const override { return solve_.outcome().cost; }
  Resources resources() const override { return solver_.solver().resources(); }
  std::size_t field_bytes() const override { return solver_.field_bytes(); }

  nlohmann::json solver_facts() override {
    nlohmann::json facts = facts_of(solve_.outcome());
    facts["tolerance"] = tolerance_;
    if (judgement_) {
      facts["converged"] = judgement_->converged;
      facts["true_residual"] = judgement_->true_residual;
    }
    facts["error_history"] = error_history_;
    if (levels_.found) facts["level_configs"] = levels_.found();
    facts["launches_per_iteration"] = resources().launches;
    return facts;
  }

 private:
  // Records the maximum error at each check, only in the untimed run.
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

  std::shared_ptr<const LinearProblem> problem_;
  double tolerance_;
  int max_iterations_;
  LevelLookup levels_;
  PreparedSolver solver_;
  DescribedSolve solve_;
  std::optional<Judgement> judgement_;  // empty in a process without verification
  std::vector<std::pair<int, double>> error_history_;
};

}  // namespace

std::shared_ptr<const LinearProblem> shared_problem(const Config& workload, const Grid& grid) {
  const ProblemDescription& problem = find_problem(workload.choice("problem"));
  Config settings = TuningSpace{problem.settings}.defaults();
  settings.take_known(workload);
  return keep_problem(fmt::format("problem {} {} {}", problem.name, grid_text(grid), settings.text()),
                      [&] { return make_problem(problem, grid, settings); });
}

const SolverDescription& solver_of(const Row& row) {
  const auto& table = solver_table();
  return *std::find_if(table.begin(), table.end(), [&](const auto& s) { return s.name == row.name; });
}
SolverMethod solver_method_of(const Row& row) { return method_of_row(solver_of(row), row); }

void set_level_lookup(std::function<LevelLookup(const Config&, DeviceId)> lookup) {
  level_lookup() = std::move(lookup);
}

std::unique_ptr<Workload> make_solver_workload(const SolverDescription& solver, const SolverMethod& method,
                                               Backend& on, Precision precision, const Grid& grid,
                                               const Config& config, const Config& workload) {
  return std::make_unique<SolverWorkload>(solver, method, on, precision, config, workload,
                                          shared_problem(workload, grid));
}

}  // namespace cfdmark
