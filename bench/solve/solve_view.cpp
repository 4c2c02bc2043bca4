#include "bench/solve/solve_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/catalog/solver_rows.hpp"
#include "bench/ranks/rank_process.hpp"
#include "bench/record/config_json.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/tuned/tuned_levels.hpp"

namespace cfdmark {
namespace {

// Solves once without timing, for a few iterations, and restores the initial guess.
void warm_up(PreparedSolve& prepared, const SolveCase& asked, int iterations) {
  prepared.reset();
  prepared.solve(asked.tolerance(), std::min(asked.max_iterations(), iterations));
  prepared.reset();
}

TimedSolve timed_solve(PreparedSolve& prepared, const SolveCase& asked, SolveView& view) {
  TimedSolve timed;
  if (view.is_live())
    prepared.solver().on_check = [&](const Outcome& so_far) { view.check(prepared, so_far); };
  timed.seconds =
      asked.on->seconds([&] { timed.outcome = prepared.solve(asked.tolerance(), asked.max_iterations()); });
  prepared.solver().on_check = nullptr;
  return timed;
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

void print_routine_times(PreparedSolve& prepared, const SolveCase& asked) {
  prepared.reset();
  print_routines(prepared.solve_by_routine(asked.tolerance(), asked.max_iterations()));
}

}  // namespace

std::vector<std::string> SolveView::plotted_files(const std::string&) const { return {}; }

std::shared_ptr<const Problem> SolveView::problem() {
  return shared_problem(*asked_.row->family, asked_.domain, asked_.workload);
}

Judgement SolveView::judge(PreparedSolve& prepared, Outcome& outcome) {
  return prepared.verify(outcome, asked_.tolerance());
}

std::optional<int> SolveView::print(const TimedSolve& timed, const Judgement& judgement) {
  return print_solve(asked_, timed, judgement, {});
}

std::unique_ptr<SolveView> view_of(const SolveCase& asked, const Family& family) {
  if (family.name == "linear") return linear_view(asked);
  if (family.name == "flow") return flow_view(asked);
  if (family.name == "block") return block_view(asked);
  if (family.name == "mesh") return mesh_view(asked);
  if (family.name == "mesh_flow") return mesh_flow_view(asked);
  if (family.name == "matrix") return matrix_view(asked);
  return std::make_unique<SolveView>(asked);
}

int solve_and_show(const SolveCase& asked, SolveView& view) {
  const LevelLookup levels = tuning::look_up_levels(asked.config, asked.on->id());
  const auto prepared = asked.row->prepare_solve(*asked.on, asked.config, view.problem(), levels.configs);
  if (asked.process) asked.process->report_stage("solving");
  if (levels.found) print_levels(levels.found());
  view.before();
  warm_up(*prepared, asked, view.warm_up_iterations());
  TimedSolve timed = timed_solve(*prepared, asked, view);
  const Judgement judgement = view.judge(*prepared, timed.outcome);
  if (const auto status = view.print(timed, judgement)) return *status;
  if (asked.routines) print_routine_times(*prepared, asked);
  const int status = view.write_files(*prepared, timed.outcome);
  return status != exit_ok ? status : judgement.converged ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
