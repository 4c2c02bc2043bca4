#include "bench/external/tune_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/external/program_runner.hpp"
#include "bench/external/program_space.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/interval_json.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tune/runner.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

constexpr std::size_t most_lines = 20;  // of the table; the records have all

std::string interval_text(const std::vector<double>& samples) {
  const MedianInterval m = median_interval(samples);
  return has_interval(m) ? fmt::format("[{}, {}]", seconds_text(m.low), seconds_text(m.high)) : "no interval";
}

// Returns why a config has this place in the table.
std::string note_of(const Search& search, const Selection& choice, std::size_t n) {
  if (n == choice.winner) return "best: " + choice.rule;
  const double ratio = median(search[n].samples) / median(search[choice.winner].samples);
  const bool is_tie = std::find(choice.ties.begin(), choice.ties.end(), n) != choice.ties.end();
  return fmt::format("{}{}", is_tie ? "a tie within the noise" : fmt::format("{:.2f} times the time", ratio),
                     n == search.space().fallback() ? "; the first config" : "");
}

std::string table(const Search& search, const Selection& choice) {
  std::vector<std::size_t> order = search.ranked(search.all());
  std::erase(order, choice.winner);
  order.insert(order.begin(), choice.winner);
  std::size_t widest = 6;
  for (const std::size_t n : order) widest = std::max(widest, search.space()[n].config.text().size());
  std::string text = fmt::format("  {:>9}  {:<22}  {:>4}  {:<{}}  note\n", "time", "95 % interval", "runs",
                                 "config", widest);
  for (std::size_t place = 0; place < std::min(order.size(), most_lines); ++place) {
    const std::size_t n = order[place];
    const std::vector<double>& samples = search[n].samples;
    text += fmt::format("  {:>9}  {:<22}  {:>4}  {:<{}}  {}\n", seconds_text(median(samples)),
                        interval_text(samples), samples.size(), search.space()[n].config.text(), widest,
                        note_of(search, choice, n));
  }
  if (order.size() > most_lines)
    text += fmt::format("  and {} slower ones, in the records\n", order.size() - most_lines);
  return text;
}

// Returns the configs without a time, with the reason.
std::string failures(const Search& search) {
  std::string text;
  std::size_t not_tried = 0;
  for (const std::size_t n : search.all()) {
    const Evaluation& e = search[n];
    not_tried += e.status == TrialStatus::not_tried;
    if (!e.ok() && e.status != TrialStatus::not_tried)
      text += fmt::format("  {}  {}: {}\n", search.space()[n].config.text(), to_string(e.status), e.reason);
  }
  if (not_tried > 0)
    text += fmt::format("  {} configs were not tried: the budget ended; increase --budget\n", not_tried);
  return text.empty() ? "" : "without a time\n" + text;
}

std::string gain_text(const Selection& choice, const SearchSpace& space) {
  const std::string first = space[space.fallback()].config.text();
  if (choice.winner == space.fallback()) return fmt::format("the first config, {}, is not beaten\n", first);
  if (!choice.gain) return "";
  const Gain& gain = *choice.gain;
  return fmt::format("{:.3f} times as fast as the first config, {}{}\n", gain.value, first,
                     gain.low ? fmt::format(" [{:.3f}, {:.3f}]", *gain.low, *gain.high) : "");
}

Json header_of(const ProgramTune& asked) {
  return {{"type", "command"},
          {"command", asked.command},
          {"parameters", asked.parameters},
          {"constraints", asked.constraints},
          {"time_from", asked.time_from},
          {"time_unit", asked.unit},
          {"check", asked.check},
          {"strategy", asked.strategy},
          {"seed", asked.seed}};
}

}  // namespace

int tune_program(const ProgramTune& asked) {
  const SearchSpace space = program_space(asked.parameters, asked.constraints);
  const Config& first = space[0].config;
  check_uses_all(asked.command, first);
  command_with(asked.command, first, "--command");
  command_with(asked.check, first, "--check-command");
  const Strategy& strategy = find_strategy(asked.strategy);
  RecordWriter writer(asked.output);
  Progress progress(stderr);
  ProgramRunner runner(asked, space, writer, progress);
  writer.append(header_of(asked));
  SearchOptions options;
  options.seed = asked.seed;
  options.samples = asked.samples;
  if (asked.budget) options.budget = *asked.budget;
  const double start = seconds_now();
  Search search(space, std::ref(runner), options);
  strategy.run(search);
  writer.sync();
  progress.clear();

  const std::optional<Selection> choice = tuning::choose(space, search.evaluations());
  std::size_t runs = 0;
  for (const Evaluation& e : search.evaluations()) runs += e.samples.size();
  fmt::print("{}: {} configs, {} timed runs in {}\n", printable(asked.command), space.size(), runs,
             seconds_text(seconds_now() - start));
  if (choice) fmt::print("{}", table(search, *choice));
  fmt::print("{}", failures(search));
  if (choice)
    fmt::print("answer: {}\n{}  {}\n", space[choice->winner].config.text(), gain_text(*choice, space),
               printable(command_with(asked.command, space[choice->winner].config, "--command")));
  else
    fmt::print("no answer: no config ran with success\n");
  fmt::print("records: {}\n", printable(asked.output));
  return runner.interrupted() ? exit_interrupted : choice ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
