#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/catalog/linear_rows.hpp"
#include "bench/record/config_json.hpp"
#include "bench/solve/print.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/tuned/tuned_levels.hpp"
#include "solvers/linear/multigrid/multigrid.hpp"

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

// Prints the configs that the tuned tables have for the kernels of the levels.
void print_levels(const Json& found) {
  std::size_t none = 0;
  for (const Json& one : found) {
    const Config config = config_from_json(one.at("config"));
    if (config.empty()) {
      ++none;
      continue;
    }
    fmt::print("  level {}: {} {}  [tuned: {}]\n", one.at("grid").get<std::string>(),
               one.at("kernel").get<std::string>(), config.text(), one.at("match").get<std::string>());
  }
  if (none > 0)
    fmt::print("  no tuned config for {} of {} kernels of levels; their defaults are used\n", none,
               found.size());
}

// Solves again and returns the largest error at each check. The timed solve does without, since each check
// then downloads the field.
std::vector<std::pair<int, double>> error_history(PreparedSolver& prepared, const LinearProblem& problem,
                                                  const SolveCase& asked) {
  std::vector<std::pair<int, double>> errors;
  prepared.solver().on_check = [&](const Outcome& so_far) {
    errors.emplace_back(so_far.iterations, solution_error(problem, prepared.solution()).max);
  };
  prepared.reset();
  prepared.solve(asked.tolerance(), asked.max_iterations());
  prepared.solver().on_check = nullptr;
  return errors;
}

// Runs plot-solution, which draws PREFIX-field.png and PREFIX-history.png. For a 3-D field the middle plane
// is drawn.
int plot(PreparedSolver& prepared, const LinearProblem& problem, const SolveCase& asked, const HostField& u,
         const Outcome& outcome) {
  const Grid& g = u.grid();
  const auto middle = [&](int i, int j) { return u.get(i, j, g.is_3d() ? g.nz / 2 : 0); };
  return draw("plot-solution", asked.plot,
              {{"title", asked.title},
               {"grid", {g.nx, g.ny}},
               {"field", plane_of(g, middle)},
               {"history", outcome.history},
               {"error_history", error_history(prepared, problem, asked)}});
}

SolveWords words_of(const SolveCase& asked, const TimedSolve& timed, const Judgement& judgement) {
  SolveWords words;
  if (asked.config.has("omega")) words.reduce = "omega";
  if (timed.outcome.converged && !judgement.converged)
    words.note =
        "  the solver's own residual is within the tolerance, but the true residual is not: rounding limits "
        "it.\n  Try --precision mixed or fp64\n";
  const int n = std::max(timed.outcome.iterations, 1);
  words.rate =
      fmt::format(", {:.4g} million points per second", double(asked.grid.cells()) * n / timed.seconds / 1e6);
  return words;
}

}  // namespace

int solve_linear(const SolveCase& asked) {
  const auto problem = shared_problem(asked.workload, asked.grid);
  const auto levels = tuning::tuned_levels(asked.config, asked.on->id());
  PreparedSolver prepared(solver_of(*asked.row), solver_method_of(*asked.row), *asked.on,
                          asked.row->precision, asked.config, problem,
                          levels ? levels->configs() : LevelConfigs());
  if (levels) print_levels(levels->found());
  warm_up(prepared, asked);
  TimedSolve timed = timed_solve(prepared, asked);
  Outcome& outcome = timed.outcome;
  const HostField u = prepared.solution();
  const Judgement judgement = prepared.judge(outcome, u, asked.tolerance());
  for (NamedValue& result : results(*problem, u)) outcome.results.push_back(std::move(result));
  if (!print_solve(asked, timed, judgement, words_of(asked, timed, judgement))) return exit_went_wrong;
  print_source_mean(*problem);
  print_few_levels(outcome, asked.config);
  print_requested_routines(prepared, asked, true);
  if (!asked.plot.empty())
    if (const int status = plot(prepared, *problem, asked, u, outcome); status != exit_ok) return status;
  return judgement.converged ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
