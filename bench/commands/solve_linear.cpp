// cfdmark solve for linear problems: prints residual history and error.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "bench/catalog/solver_workload.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/solve_case.hpp"
#include "bench/record/config_json.hpp"
#include "bench/record/output_file.hpp"
#include "bench/text/duration.hpp"
#include "bench/tuned/tuned_levels.hpp"
#include "bench/worker/python_script.hpp"
#include "solvers/linear/multigrid/multigrid.hpp"

namespace cfdmark {
namespace {

const SolverDescription& description_of(const Row& row) {
  const auto& table = solver_table();
  return *std::find_if(table.begin(), table.end(), [&](const auto& s) { return s.name == row.name; });
}
SolverMethod method_of(const Row& row) {
  const std::vector<SolverMethod> methods = description_of(row).methods(row.backend);
  return *std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == row.method; });
}

struct Solved {
  Outcome outcome;
  double seconds = 0;
  HostField u;
  Judgement judgement;
  std::vector<std::pair<int, double>> error_history;
};

void print_answer(const LinearProblem& problem, const Solved& s, double tolerance) {
  const Grid& g = problem.grid;
  const int n = std::max(s.outcome.iterations, 1);
  const bool converged = s.judgement.converged;
  fmt::print("\n  {} {} iterations{}\n", converged ? "converged in" : "NOT converged after",
             s.outcome.iterations, converged ? "" : fmt::format(" (tolerance {:g})", tolerance));
  fmt::print("  residual, relative to the first   {:.3e}   (true residual, in fp64 on the host: {:.3e})\n",
             s.outcome.relative_residual, s.judgement.true_residual);
  if (s.outcome.converged && !converged)
    fmt::print(
        "  the solver's own residual is within the tolerance, but the true residual is not: rounding limits "
        "it.\n  Try --precision mixed or fp64\n");
  for (const NamedValue& result : s.outcome.results)
    fmt::print("  {:<33} {:.8g}\n", result.name, result.value);
  fmt::print("  time to solution                  {}, {} per iteration, {:.4g} million points per second\n",
             seconds_text(s.seconds), seconds_text(s.seconds / n), double(g.cells()) * n / s.seconds / 1e6);
}

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

// Writes PREFIX.json and runs plot-solution, which draws PREFIX-field.png and PREFIX-history.png. For a
// 3-D field the middle plane is drawn.
int plot(const Solved& s, const std::string& title, const std::string& prefix) {
  const Grid& g = s.u.grid();
  nlohmann::json rows = nlohmann::json::array();
  for (int j = 0; j < g.ny; ++j) {
    nlohmann::json row = nlohmann::json::array();
    for (int i = 0; i < g.nx; ++i) row.push_back(s.u.get(i, j, g.is_3d() ? g.nz / 2 : 0));
    rows.push_back(std::move(row));
  }
  const std::string file = prefix + ".json";
  const nlohmann::json drawn{{"title", title},
                             {"grid", {g.nx, g.ny}},
                             {"field", rows},
                             {"history", s.outcome.history},
                             {"error_history", s.error_history}};
  replace_file(file, [&](std::ostream& out) { out << drawn; });
  return run_script("plot-solution", {file, prefix});
}

Solved solve(PreparedSolver& prepared, const LinearProblem& problem, const SolveCase& asked) {
  const double tolerance = asked.workload.real("tolerance");
  const int max_iterations = asked.workload.integer("max_iterations");
  Solved s;
  prepared.reset();
  prepared.solve(tolerance, std::min(max_iterations, 20));  // warm up
  prepared.reset();
  s.seconds = asked.on->seconds([&] { s.outcome = prepared.solve(tolerance, max_iterations); });
  s.u = prepared.solution();
  s.judgement = prepared.judge(s.outcome, s.u, tolerance);
  for (NamedValue& result : results(problem, s.u)) s.outcome.results.push_back(std::move(result));
  if (asked.routines) {
    prepared.reset();
    Outcome timed = prepared.solve_by_routine(tolerance, max_iterations);
    s.outcome.routines = std::move(timed.routines), s.outcome.level_times = std::move(timed.level_times);
  }
  if (asked.plot.empty()) return s;
  // Recording the error downloads the field at each check, so a separate, untimed solve does it.
  prepared.solver().on_check = [&](const Outcome& so_far) {
    s.error_history.emplace_back(so_far.iterations, solution_error(problem, prepared.solution()).max);
  };
  prepared.reset();
  prepared.solve(tolerance, max_iterations);
  return s;
}

}  // namespace

int solve_linear(const SolveCase& asked) {
  const auto problem = shared_problem(asked.workload, asked.grid);
  const auto levels = tuning::tuned_levels(asked.config, asked.on->id());
  PreparedSolver prepared(description_of(*asked.row), method_of(*asked.row), *asked.on, asked.row->precision,
                          asked.config, problem, levels ? levels->configs() : LevelConfigs());
  if (levels) print_levels(levels->found());
  const Solved s = solve(prepared, *problem, asked);
  print_history(s.outcome.history);
  if (!s.judgement.wrong.empty()) {
    print_wrong(s.outcome, s.judgement, asked.config.has("omega") ? "omega" : "");
    return exit_went_wrong;
  }
  const double tolerance = asked.workload.real("tolerance");
  print_answer(*problem, s, tolerance);
  print_source_mean(*problem);
  print_few_levels(s.outcome, asked.config);
  if (asked.routines) print_routines(s.outcome.routines);
  if (!s.outcome.level_times.empty()) print_routines(s.outcome.level_times, "on the grid");
  const int plotted = asked.plot.empty() ? 0 : plot(s, asked.title, asked.plot);
  if (plotted != 0) return plotted;
  return s.judgement.converged ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
