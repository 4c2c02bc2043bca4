#include "bench/solve/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "bench/record/output_file.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark {
namespace {

constexpr std::size_t history_lines = 12;

void print_wrong(const Outcome& outcome, const Judgement& judgement, const std::string& reduce) {
  const auto iteration = diverged_by(outcome);
  if (!iteration || *iteration == 0) {
    fmt::print("\n  WRONG: {}\n", judgement.wrong);
    return;
  }
  fmt::print("\n  DIVERGED by iteration {}: the residual is above {:g} times the first{}\n", *iteration,
             divergence_limit, reduce.empty() ? "" : "; reduce " + reduce);
}

void print_history(const std::vector<std::pair<int, double>>& history) {
  fmt::print("\n  iteration   relative residual\n");
  const std::size_t step = std::max<std::size_t>(1, (history.size() + history_lines - 1) / history_lines);
  for (std::size_t n = 0; n < history.size(); ++n)
    if (n % step == 0 || n + 1 == history.size())
      fmt::print("  {:9}   {:.3e}\n", history[n].first, history[n].second);
}

void print_times(const std::vector<RoutineTime>& times, const std::string& what) {
  double sum = 0;
  for (const RoutineTime& r : times) sum += r.seconds;
  fmt::print("\n  {:<14} {:>7}   {:>10}   share   (each timed by itself, in a separate solve)\n", what,
             "calls", "time");
  for (const RoutineTime& r : times)
    fmt::print("  {:<14} {:7}   {:>10}   {:4.1f} %\n", r.name, r.calls, seconds_text(r.seconds),
               100 * r.seconds / sum);
}

}  // namespace

std::optional<int> print_solve(const SolveCase& asked, const TimedSolve& timed, const Judgement& judgement,
                               const SolveWords& words) {
  const Outcome& outcome = timed.outcome;
  print_history(outcome.history);
  if (!judgement.wrong.empty()) {
    print_wrong(outcome, judgement, words.reduce);
    return exit_went_wrong;
  }
  print_end(outcome, judgement.converged, asked.tolerance(), words.iterations);
  fmt::print("  residual, relative to the first   {:.3e}   (true residual, in fp64 on the host: {:.3e})\n{}",
             outcome.relative_residual, judgement.true_residual, words.note);
  for (const NamedValue& result : outcome.results)
    print_value(result, published_note(judgement.published, result));
  print_time(timed, words.one, words.rate);
  return {};
}

std::string published_note(const std::vector<PublishedValue>& published, const NamedValue& result) {
  for (const PublishedValue& known : published) {
    if (known.name != result.name) continue;
    if (known.value == 0) return fmt::format("   (from {})", known.source);
    const double deviation = result.value / known.value - 1;
    // A percentage of a small value, or of one with the opposite sign, is meaningless.
    if (std::abs(deviation) > 1)
      return fmt::format("   ({:g} by {}: {:.3g} {})", known.value, known.source,
                         std::abs(result.value - known.value), result.value < known.value ? "less" : "more");
    return fmt::format("   ({:g} by {}: {:.2g} % {})", known.value, known.source, 100 * std::abs(deviation),
                       deviation < 0 ? "less" : "more");
  }
  return "";
}

void print_end(const Outcome& outcome, bool converged, double tolerance, const std::string& what) {
  fmt::print("\n  {} {} {}{}\n", converged ? "converged in" : "NOT converged after", outcome.iterations, what,
             converged ? "" : fmt::format(" (tolerance {:g})", tolerance));
}

void print_value(const NamedValue& result, const std::string& note) {
  fmt::print("  {:<33} {:.8g}{}\n", result.name, result.value, note);
}

void print_time(const TimedSolve& timed, const std::string& one, const std::string& rate) {
  fmt::print("  time to solution                  {}, {} per {}{}\n", seconds_text(timed.seconds),
             seconds_text(timed.seconds / std::max(timed.outcome.iterations, 1)), one, rate);
}

void print_routines(const Outcome& outcome) {
  print_times(outcome.routines, "routine");
  if (!outcome.level_times.empty()) print_times(outcome.level_times, "on the grid");
}

int draw(const std::string& script, const std::string& prefix, const nlohmann::json& drawn) {
  const std::string file = prefix + ".json";
  replace_file(file, [&](std::ostream& out) { out << drawn; });
  return run_script(script, {file, prefix});
}

}  // namespace cfdmark
