// cfdmark tune: which config and which method to use for a kernel or solver on this machine.
#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"
#include "bench/commands/tune_sizes.hpp"
#include "bench/commands/tune_text.hpp"
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
  cfdmark tune jacobi --backend cuda --ladder 256..8192   answers by range of size
  cfdmark tune jacobi --backend openmp --grid 512x512 --grid 4096x4096:3 --one-answer
  cfdmark tune jacobi --backend cuda --against block_x=32,block_y=8   beside a layout of yours
  cfdmark tune jacobi --backend cuda --operator arrays    with coefficient arrays
  cfdmark tune sor --backend cuda --tolerance 1e-6        a solver, by its time to the tolerance
  cfdmark tune triad --strategy exhaustive --method plain   records the whole space
  cfdmark tune layouts                                    what was found, on every device
  cfdmark tune space out/tune-triad-openmp-fp64.jsonl     what a recorded space looks like

The fastest config is measured once more beside the default, in two new processes. They give the gain; if they
do not confirm it, the default stays. That takes at most two seconds a grid beyond a --budget.

Of several sizes the winners of each are so measured at the others too. Neighbouring sizes become one range as
long as one config is within 2 % of the best at each, nowhere slower than the default, and the working sets
are in the same regime of the cache; in a range the config of least worst regret is kept. An answer holds
between the sizes of its range and up to 1.25 times as many cells beyond; elsewhere a lookup gives the default.

Every evaluation is verified and recorded; the answer is kept in a tuned table, and used where a sweep says
`parameters: tuned` and by `cfdmark solve --tuned`.

exit status: 0 there is an answer; 1 nothing works, or the device was lost; 2 a wrong option or bad input; 3 a
file could not be written; 130 interrupted, no answer is kept.)";

struct CommandLine {
  std::string name, backend, precision = "fp64", method, problem, against;
  AskedSizes sizes;
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

Config question_for(const CommandLine& given, const Row& row) {
  const TuningSpace space = question_space(row, given.problem);
  const std::string whose =
      given.problem.empty() ? row.name : fmt::format("{} on {}", row.name, given.problem);
  return space.complete(given.settings.given(space.settings, whose));
}

// "block_x=32,block_y=8", of the method that runs untuned on the first grid; or "shared:block_x=32". What it
// does not set is as that method has it untuned.
Candidate layout_from(const std::string& text, const std::vector<const Row*>& rows,
                      const TuneSubject& first) {
  const std::size_t colon = text.find(':');
  const Row* row = &default_row(rows, first.grid, first.question);
  if (colon != std::string::npos) {
    std::vector<std::string> methods;
    for (const Row* r : rows) methods.push_back(r->method);
    const std::string wanted = text.substr(0, colon);
    const auto at = std::find(methods.begin(), methods.end(), wanted);
    if (at == methods.end())
      throw std::invalid_argument(fmt::format("--against {}: '{}' is no method here: there are {}{}", text,
                                              wanted, one_of(methods), did_you_mean(wanted, methods)));
    row = rows[std::size_t(at - methods.begin())];
  }
  try {
    const std::string settings = colon == std::string::npos ? text : text.substr(colon + 1);
    const SettingOptions set(settings);
    return {row->method, row->space.complete(set.given(row->space.settings, "method " + row->method))};
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("--against {}: {}", text, e.what()));
  }
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
  if (given.sizes.grids.empty() && given.sizes.ladder.empty())
    given.sizes.grids = {usual_grid(*rows.front())};
  o.one_answer = given.sizes.one_answer;
  const Config question = question_for(given, *rows.front());
  std::vector<TuneSubject> subjects;
  for (const WeightedGrid& size : sizes_from(given.sizes, rows.front()->in_2d ? 2 : 3))
    subjects.push_back({rows, size.grid, question, device.index, size.weight});
  if (!given.against.empty()) o.against = layout_from(given.against, rows, subjects.front());

  Progress progress(stderr);
  const TuneResult result = tune(subjects, o, progress);
  print_answers(result, o);
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
  command->add_option("--grid", given.sizes.grids,
                      "NXxNY or NXxNYxNZ; may be repeated (default: 2048x2048, for solvers 513x513); "
                      "512x512:3 weighs three times in one answer");
  add_value(*command, "--ladder", "FIRST..LAST", given.sizes.ladder,
            "grids in even steps, each at most twice as long a side: 256..8192 is 256x256, 512x512, up to "
            "8192x8192, or cubes for what is 3-D only; or grids, 64x64x64..256x256x256");
  add_value(*command, "--ladder-steps", "N", given.sizes.ladder_steps, "steps for each doubling of a side")
      ->check(CLI::Range(1, 16));
  command->add_flag("--one-answer", given.sizes.one_answer,
                    "one config for all sizes, of the least geometric mean of its regrets by their weights, "
                    "in place of one for each range");
  add_value(*command, "--against", "[METHOD:]LAYOUT", given.against,
            "compare the answers with a fixed layout too: block_x=32,block_y=8");
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
