#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/ranks/rank_process.hpp"
#include "bench/solve/solve_view.hpp"
#include "bench/text/exit_status.hpp"
#include "solvers/base/ranked_solve.hpp"
#include "solvers/linear/multigrid/multigrid.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

// Prints the mean of the source, which no solution can have if nothing crosses the sides.
void print_source_mean(const LinearProblem& problem) {
  constexpr double of_rounding = 1e-12;
  if (std::abs(problem.source_mean) <= of_rounding * problem.source_rms) return;
  fmt::print(
      "  the source has a mean of {:.6g}; the rest of it has a root mean square of {:.6g}. With no flux "
      "through the\n  sides a source with a mean has no solution; {:.6g} was subtracted from it\n",
      problem.source_mean, problem.source_rms, problem.source_mean);
}

// Warns of too few levels: the cycles converge slowly, and the residuals do not show why.
void print_few_levels(const Outcome& outcome, const Config& config) {
  const auto& results = outcome.results;
  const auto found = std::find_if(results.begin(), results.end(),
                                  [](const NamedValue& result) { return result.name == coarsest_unknowns; });
  constexpr int solved_anyway = 27;  // a singular system this small is solved anyway
  if (found == results.end() || found->value <= std::max(solved_anyway, config.integer("coarsest_sweeps")))
    return;
  fmt::print(
      "  the coarsest grid has {:.0f} unknowns, too many for coarsest_sweeps={}: use more levels for better "
      "cycles\n",
      found->value, config.integer("coarsest_sweeps"));
}

HostField solution_of(PreparedSolve& prepared) {
  return dynamic_cast<PreparedSolver&>(whole_solve(prepared)).solution();
}

// Solves again and returns the largest error at each check. The timed solve does without, since each check
// then downloads the field.
std::vector<std::pair<int, double>> error_history(PreparedSolve& prepared, const LinearProblem& problem,
                                                  const SolveCase& asked) {
  std::vector<std::pair<int, double>> errors;
  prepared.solver().on_check = [&](const Outcome& so_far) {
    errors.emplace_back(so_far.iterations, solution_error(problem, solution_of(prepared)).max);
  };
  prepared.reset();
  prepared.solve(asked.tolerance(), asked.max_iterations());
  prepared.solver().on_check = nullptr;
  return errors;
}

// Runs plot-solution, which draws PREFIX-field.png and PREFIX-history.png. For a 3-D field the middle plane
// is drawn.
int plot(PreparedSolve& prepared, const LinearProblem& problem, const SolveCase& asked,
         const Outcome& outcome) {
  const HostField u = solution_of(prepared);
  const Grid& g = u.grid();
  const auto errors = error_history(prepared, problem, asked);  // all ranks solve again
  if (asked.process && !asked.process->is_first()) return exit_ok;
  const auto middle = [&](int i, int j) { return u.get(i, j, g.is_3d() ? g.nz / 2 : 0); };
  return draw("plot-solution", asked.plot,
              {{"title", asked.title},
               {"grid", {g.nx, g.ny}},
               {"field", plane_of(g, middle)},
               {"history", outcome.history},
               {"error_history", errors}});
}

SolveWords words_of(const SolveCase& asked, const TimedSolve& timed, const Judgement& judgement) {
  SolveWords words;
  if (asked.config.has("omega")) words.reduce = "omega";
  if (timed.outcome.converged && !judgement.converged)
    words.note =
        "  the solver's own residual is within the tolerance, but the true residual is not: rounding limits "
        "it.\n  Try --precision mixed or fp64\n";
  const int n = std::max(timed.outcome.iterations, 1);
  words.rate = fmt::format(", {:.4g} million points per second",
                           double(asked.domain.cells()) * n / timed.seconds / 1e6);
  return words;
}

class LinearView final : public SolveView {
 public:
  using SolveView::SolveView;

  std::vector<std::string> plotted_files(const std::string& prefix) const override {
    return {prefix + ".json", prefix + "-history.png", prefix + "-field.png"};
  }
  std::shared_ptr<const Problem> problem() override {
    const auto shared = SolveView::problem();
    problem_ = as<LinearProblem>(shared);
    return shared;
  }
  std::optional<int> print(const TimedSolve& timed, const Judgement& judgement) override {
    if (const auto status = print_solve(asked_, timed, judgement, words_of(asked_, timed, judgement)))
      return status;
    print_source_mean(*problem_);
    print_few_levels(timed.outcome, asked_.config);
    return {};
  }
  int write_files(PreparedSolve& prepared, const Outcome& outcome) override {
    if (asked_.plot.empty()) return exit_ok;
    return plot(prepared, *problem_, asked_, outcome);
  }

 private:
  std::shared_ptr<const LinearProblem> problem_;
};

}  // namespace

std::unique_ptr<SolveView> linear_view(const SolveCase& asked) { return std::make_unique<LinearView>(asked); }

}  // namespace cfdmark
