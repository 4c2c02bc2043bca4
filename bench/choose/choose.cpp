#include "bench/choose/choose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/case/settings_help.hpp"
#include "bench/choose/answer.hpp"
#include "bench/choose/race.hpp"
#include "bench/record/output_file.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/terminal.hpp"

namespace cfdmark {

int choose(ChooseRequest request) {
  const std::vector<Case> cases = competing_cases(request.asked);
  tuning::TuneOptions& options = request.options;
  if (options.output.empty()) options.output = fmt::format("out/choose-{}.jsonl", request.asked.question);
  const auto can_run = [](const Case& c) { return c.not_run.empty(); };
  const auto runnable = std::size_t(std::count_if(cases.begin(), cases.end(), can_run));
  const Config& workload = cases.front().workload;
  fmt::print("{}: {} on {} to a true residual of {:g}, {} candidates that can run here, within {}\n",
             request.asked.question, workload.choice("problem"), cases.front().domain.text(),
             workload.real("tolerance"), runnable, seconds_text(*options.budget));
  if (request.dry_run) {
    for (const Case& c : cases)
      fmt::print("{}{}\n", short_name(c), can_run(c) ? "" : fmt::format("  [not run: {}]", c.not_run));
    return exit_ok;
  }
  Progress progress(stderr);
  const RaceResult result = race(cases, options, progress);
  fmt::print("\n{}\n", for_standard_output(answer_table(result)));
  const bool is_answered = !result.contenders.empty() && result.contenders.front().is_verified();
  if (is_answered)
    fmt::print("{}", winner_text(result));
  else
    fmt::print(
        "no answer: no candidate reached the tolerance within the budget; increase --budget, or choose "
        "a smaller --grid or a larger --tolerance\n");
  if (result.budget_ended)
    fmt::print("the budget ended before all were decided; --budget 10m decides more\n");
  fmt::print("records: {}, from {}; next: cfdmark report {}\n", printable(options.output),
             seconds_text(result.seconds), printable(options.output));
  if (!result.unwritten.empty()) throw WriteError(result.unwritten);
  return result.interrupted ? exit_interrupted : is_answered ? exit_ok : exit_went_wrong;
}

std::string choose_settings_help(const AskedChoice& asked) {
  if (asked.question.empty()) return "settings of an equation: cfdmark choose pressure --help\n";
  const Question& question = find_question(asked.question);
  std::vector<const Row*> methods;  // of one solver: all have the settings of the problem
  for (const Row& row : catalog())
    if (row.family && row.family->name == question.family && row.backend == BackendKind::serial &&
        row.precision == Precision::fp64 && (methods.empty() || methods.front()->name == row.name))
      methods.push_back(&row);
  return workload_options_help(methods, problem_of(asked));
}

}  // namespace cfdmark
