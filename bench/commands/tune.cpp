// cfdmark tune: which config and which method to use for a kernel or solver on this machine.
#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"
#include "bench/record/records.hpp"
#include "bench/run/device_choice.hpp"
#include "bench/sweep/duration.hpp"
#include "bench/sweep/words.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/tuned_table.hpp"
#include "solvers/problems/problem.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

constexpr const char* notes = R"(examples:
  cfdmark tune red_black_sor --backend cuda --grid 4096x4096 --budget 60s
  cfdmark tune jacobi --backend openmp --precision fp32 --grid 1024x1024 --grid 4096x4096
  cfdmark tune jacobi --backend cuda --operator arrays    with coefficient arrays
  cfdmark tune sor --backend cuda --tolerance 1e-6        a solver, by its time to the tolerance
  cfdmark tune triad --strategy exhaustive --method plain   records the whole space
  cfdmark tune layouts                                    what was found, on every device
  cfdmark tune space out/tune-triad-openmp-fp64.jsonl     what a recorded space looks like

The fastest config is measured once more beside the default, in two new processes. They give the gain; if they
do not confirm it, the default stays. That takes at most two seconds a grid beyond a --budget.

Every evaluation is verified and recorded; the answer is kept in a tuned table, and used where a sweep says
`parameters: tuned` and by `cfdmark solve --tuned`.

exit status: 0 there is an answer; 1 nothing works, or the device was lost; 2 a wrong option or bad input; 3 a
file could not be written; 130 interrupted, no answer is kept.)";

struct CommandLine {
  std::string name, backend, precision = "fp64", method, problem;
  std::vector<std::string> grids;
  std::optional<int> device;
  bool solver = false;
  SettingOptions settings;
  TuneOptions options;
};

void add_once(std::vector<std::string>& list, std::string_view text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.emplace_back(text);
}

// The rows that match so far; fails with the nearest word when one more condition leaves none.
class Rows {
 public:
  Rows() {
    for (const Row& row : catalog()) rows_.push_back(&row);
  }
  template <class Word>
  void keep(const char* what, const std::string& wanted, const Word& word) {
    std::vector<std::string> known;
    for (const Row* row : rows_) add_once(known, word(*row));
    std::erase_if(rows_, [&](const Row* row) { return word(*row) != wanted; });
    if (rows_.empty())
      throw std::invalid_argument(fmt::format("'{}' is no {}{}: there are {}{}", wanted, what, path_,
                                              one_of(known), did_you_mean(wanted, known)));
    path_ += fmt::format("{}{}", path_.empty() ? " of " : "/", wanted);
  }
  bool has(RowKind kind) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row* row) { return row->kind == kind; });
  }
  const std::vector<const Row*>& rows() const { return rows_; }

 private:
  std::vector<const Row*> rows_;
  std::string path_;  // what was kept, for messages
};

// The fastest kind of machine that can run one of the rows here; else the kind of the first of them.
std::string best_backend(const std::vector<const Row*>& rows) {
  for (const BackendKind kind :
       {BackendKind::cuda, BackendKind::openmp, BackendKind::kokkos, BackendKind::serial})
    for (const Row* row : rows)
      if (row->backend == kind && row->unavailable.empty()) return std::string(to_string(kind));
  return std::string(to_string(rows.front()->backend));
}

std::vector<const Row*> find_rows(CommandLine& given) {
  Rows rows;
  rows.keep("kernel or solver", given.name, [](const Row& r) { return r.name; });
  const RowKind kind = rows.has(RowKind::kernel) && !given.solver ? RowKind::kernel : RowKind::solver;
  rows.keep("kind", std::string(to_string(kind)),
            [](const Row& r) { return std::string(to_string(r.kind)); });
  if (given.backend.empty()) given.backend = best_backend(rows.rows());
  rows.keep("backend", given.backend, [](const Row& r) { return std::string(to_string(r.backend)); });
  rows.keep("precision", given.precision, [](const Row& r) { return std::string(to_string(r.precision)); });
  if (!given.method.empty()) rows.keep("method", given.method, [](const Row& r) { return r.method; });
  return rows.rows();
}

// Large enough to leave the caches of most devices; for solvers small enough to end.
std::string usual_grid(const Row& row) {
  if (row.kind == RowKind::solver) return "513x513";
  return row.in_2d ? "2048x2048" : "256x256x256";
}

std::string confirmed_text(const Confirmation& c) {
  return fmt::format(", in {} processes of {}", c.winner.size(),
                     c.winner.size() == 1 ? "its own" : "their own");
}

void print_choice(const TuneAnswer& a) {
  const Selection& v = *a.choice;
  const auto line = [&](std::size_t c) {
    const MedianInterval m = median_interval(a.evaluations[c].samples);
    return fmt::format("{:<44} {:>9} [{}, {}], {} samples", candidate_text(a.space.space[c]),
                       seconds_text(m.median), seconds_text(m.low), seconds_text(m.high),
                       a.evaluations[c].samples.size());
  };
  fmt::print("  use      {}\n", line(v.winner));
  if (v.winner != a.space.space.fallback() && v.gain)
    fmt::print("  default  {}\n", line(a.space.space.fallback()));
  if (!v.gain)
    fmt::print("  gain     not known: the default {} has no time\n",
               candidate_text(a.space.space[a.space.space.fallback()]));
  else if (v.gain->low)
    fmt::print("  gain     {:.3f} times as fast as the default [{:.3f}, {:.3f}]{}\n", v.gain->value,
               *v.gain->low, *v.gain->high,
               v.winner == a.space.space.fallback() ? "" : confirmed_text(*a.confirmation));
  else
    fmt::print("  gain     {:.3f} times as fast as the default, from single samples\n", v.gain->value);
  fmt::print("  why      {}\n", v.rule);
  constexpr std::size_t most = 8;
  std::vector<std::size_t> ties = v.ties;
  std::erase(ties, v.winner);
  std::sort(ties.begin(), ties.end(), [&](std::size_t one, std::size_t other) {
    return median(a.evaluations[one].samples) < median(a.evaluations[other].samples);
  });
  if (!ties.empty()) fmt::print("  as good  {}\n", ties.size());
  for (std::size_t n = 0; n < std::min(most, ties.size()); ++n) fmt::print("           {}\n", line(ties[n]));
  if (ties.size() > most) fmt::print("           and {} more, in the tuned table\n", ties.size() - most);
}

void print_answer(const TuneAnswer& a) {
  std::map<std::string, std::size_t> by_status;
  std::size_t samples = 0;
  for (const Evaluation& e : a.evaluations)
    ++by_status[std::string(to_string(e.status))], samples += e.samples.size();
  std::string statuses;
  for (const auto& [status, count] : by_status) statuses += fmt::format(", {} {}", count, status);
  if (!a.space.excluded.empty())
    statuses += fmt::format("; {} more left out by constraints", a.space.excluded.size());
  const Case& c = a.space.cases.front();
  fmt::print("{}/{}/{} on {}: {} configs{}; {} samples in {}\n", c.row->name, to_string(device_of(c)),
             to_string(c.row->precision), grid_text(c.grid), a.evaluations.size(), statuses, samples,
             seconds_text(a.seconds));
  if (a.choice) print_choice(a);
}

Config question_for(const CommandLine& given, const Row& row) {
  const TuningSpace space = question_space(row, given.problem);
  const std::string whose =
      given.problem.empty() ? row.name : fmt::format("{} on {}", row.name, given.problem);
  return space.complete(given.settings.given(space.settings, whose));
}

int run_tune(CommandLine& given) {
  if (given.name.empty())
    throw std::invalid_argument(
        "tune: expected NAME, a kernel or solver that `cfdmark list` shows, or layouts or space");
  const std::vector<const Row*> rows = find_rows(given);
  const DeviceId device = chosen_device(rows.front()->backend, given.device);
  if (std::all_of(rows.begin(), rows.end(), [](const Row* r) { return !r->unavailable.empty(); }))
    throw std::invalid_argument(
        fmt::format("{} cannot run here: {}", row_name(*rows.front()), rows.front()->unavailable));
  TuneOptions& o = given.options;
  o.scope = given.method.empty() ? "all" : given.method;
  if (o.output.empty())
    o.output = fmt::format("out/tune-{}-{}-{}.jsonl", given.name, given.backend, given.precision);
  if (given.grids.empty()) given.grids = {usual_grid(*rows.front())};
  const Config question = question_for(given, *rows.front());
  std::vector<TuneSubject> subjects;
  for (const std::string& grid : given.grids)
    subjects.push_back({rows, asked_grid(grid), question, device.index});

  Progress progress(stderr);
  const TuneResult result = tune(subjects, o, progress);
  for (const TuneAnswer& a : result.answers) print_answer(a);
  fmt::print("records: {}\n", o.output);
  if (!result.table.empty()) fmt::print("tuned table: {}\n", result.table);
  if (!result.unkept.empty()) throw WriteError(result.unkept);
  return result.interrupted ? exit_interrupted : exit_ok;
}

std::string strategy_help() {
  std::string text;
  for (const Strategy& s : strategies())
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", s.name, s.summary);
  return text;
}

void add_search_options(CLI::App& command, TuneOptions& o) {
  add_time(command, "--budget", o.budget, "time for everything: 90s, 10m; shared among the grids");
  add_value(command, "--strategy", "NAME", o.strategy, strategy_help());
  command.add_option("--seed", o.seed, "of every random choice of the search")->capture_default_str();
  add_value(command, "--samples", "N", o.samples, "that settle a config")->check(CLI::Range(1, 1000));
  add_timeout(command, o.timeout);
  command.add_flag_callback(
      "--no-roof", [&o] { o.measure_roof = false; }, "do not measure the bandwidth first");
  add_value(command, "--output", "FILE", o.output,
            "file of records, appended to; default: out/tune-NAME-BACKEND-PRECISION.jsonl");
  add_value(command, "--tuned", "FOLDER", o.tuned_folder, "folder of the tuned tables");
  command.add_flag_callback(
      "--keep-nothing", [&o] { o.tuned_folder.clear(); }, "leave the tuned tables as they are");
}

}  // namespace

void add_tune(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "tune", "searches the best config and method of a kernel or solver, and keeps the answer");
  auto arguments = std::make_shared<CommandLine>();
  CommandLine& given = *arguments;
  given.options.tuned_folder = tuned_folder();
  add_layouts(*command, status);
  add_space(*command, status);
  command->add_option("NAME", given.name, "a kernel or solver that `cfdmark list` shows");
  command->add_flag("--solver", given.solver,
                    "the solver of that name, where there is a kernel of that name too");
  command->add_option("--backend", given.backend,
                      "serial, openmp, kokkos or cuda (default: the fastest that runs here)");
  add_device_choice(*command, given.device);
  command->add_option("--precision", given.precision, "fp32, fp64 or mixed")->capture_default_str();
  command->add_option("--grid", given.grids,
                      "NXxNY or NXxNYxNZ; may be repeated (default: 2048x2048, for solvers 513x513)");
  command->add_option("--method", given.method, "search this method only (default: across all)");
  command->add_option("--problem", given.problem,
                      "of a solver: " + one_of(problem_names()) + " (default: the first)");
  given.settings.add_to(*command, asked_settings(catalog(), {RowKind::kernel, RowKind::solver}));
  add_search_options(*command, given.options);
  command->footer(notes);
  command->callback([arguments, command, &status] {
    if (command->get_subcommands().empty()) status = run_tune(*arguments);
  });
}

}  // namespace cfdmark
