// cfdmark tune: searches the best config and method of a kernel or solver on this machine.
#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/tune_jobs.hpp"
#include "bench/commands/tune_rows.hpp"
#include "bench/commands/tune_text.hpp"
#include "bench/record/printable.hpp"
#include "bench/record/records.hpp"
#include "bench/run/device_choice.hpp"
#include "bench/sweep/words.hpp"
#include "bench/tune/check.hpp"
#include "bench/tune/tuned_table.hpp"
#include "solvers/problems/problem.hpp"
#include "tuning/size_ranges.hpp"
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
  cfdmark tune jacobi --backend cuda --objective energy   the least energy a cell, and what it costs in time
  cfdmark tune jacobi apply triad --precision fp32,fp64 --ladder 256..8192   one after the other
  cfdmark tune --all --budget 20m                         the whole device; again goes on where it was stopped
  cfdmark tune jacobi apply --check                       what was tuned beside the best and the default
  cfdmark tune sor --backend cuda --tolerance 1e-6        a solver, by its time to the tolerance
  cfdmark tune triad --strategy exhaustive --method plain   records the whole space
  cfdmark tune layouts                                    what was found, on every device
  cfdmark tune space out/tune-triad-openmp-fp64.jsonl     what a recorded space looks like

The fastest config is measured once more beside the default, in two new processes. They give the gain; if
they do not confirm it, the default stays. That takes at most a quarter of a --budget longer, and four
seconds; finalists for which that is too short stay unconfirmed.

Of several sizes the winners of each are so measured at the others too. Neighbouring sizes become one range
as long as one config is within {near_enough:.0f} % of the best at each, nowhere slower than the default,
and the working sets are in the same regime of the cache; in a range the config of least worst regret is kept.
An answer holds between the sizes of its range and up to {size_margin} times as many cells beyond; elsewhere a
lookup gives the default.

Every evaluation is verified and recorded; the answer is kept in a tuned table, and used where a sweep says
`parameters: tuned` and by `cfdmark solve --tuned`.

Of several, each answer is kept as soon as it is found, and the same command goes on where it was stopped:
what the table answers with this source, at these sizes, is not tuned again. Each gets what it needs by its
grids, fields and configs, and of what is beyond a share; where a budget is short, all get the same part of
what they need. What is left then is for the same command again; --precision fp64 and --exclude leave more for
the rest. Solvers of flows are tuned by name, on grids that they solve in a second or so.

A check holds where what was tuned is at most {behind_best:.0f} % behind the best and {behind_default:.0f} %
behind the default. The default is compared with the fastest that makes as many steps at once as it does: of a
kernel that is one.

exit status: 0 there is an answer; 1 nothing works, the device was lost, or a check does not hold; 2 a wrong
option or bad input; 3 a file could not be written; 4 the budget was over before all were tuned, at all sizes;
5 both 1 and 4; 130 interrupted, what was not kept by then is lost.)";

std::string notes_text() {
  const auto beyond_1 = [](double factor) { return 100 * (factor - 1); };
  return fmt::format(notes, fmt::arg("near_enough", beyond_1(near_enough)),
                     fmt::arg("size_margin", size_margin),
                     fmt::arg("behind_best", beyond_1(most_behind_best)),
                     fmt::arg("behind_default", beyond_1(most_behind_default)));
}

struct CommandLine {
  AskedTune asked;
  std::string against, page, objective = "time";
  bool fresh = false;
  TuneOptions options;
};

std::string backend_of(const TuneJob& job) { return std::string(to_string(job.row().backend)); }

std::string usual_output(const CommandLine& given, const std::vector<TuneJob>& jobs) {
  const Row& row = jobs.front().row();
  const char* verb = given.asked.check ? "check" : "tune";
  if (given.asked.all) return fmt::format("out/{}-all-{}.jsonl", verb, backend_of(jobs.front()));
  if (jobs.size() > 1) return fmt::format("out/{}-several-{}.jsonl", verb, backend_of(jobs.front()));
  return fmt::format("out/{}-{}-{}-{}.jsonl", verb, row.name, backend_of(jobs.front()),
                     to_string(row.precision));
}

int tune_one(const TuneJob& job, TuneOptions o) {
  o.scope = job.scope;
  Progress progress(stderr);
  TuneSession session(o);
  const TuneResult result = tune(job.subjects, o, session, progress);
  print_answers(result, o);
  fmt::print("{}\nrecords: {}\n", time_text(session), printable(o.output));
  if (!result.table.empty()) fmt::print("tuned table: {}\n", result.table);
  if (!result.left.empty()) fmt::print("left: {}; give it more time\n", left_sizes_text(result));
  if (!result.unkept.empty()) throw WriteError(result.unkept);
  return result.interrupted ? exit_interrupted : result.left.empty() ? exit_ok : exit_cases_left;
}

// Returns the variable that makes malloc use 2 MiB pages. Host copies of device fields take gigabytes and are
// not timed; large pages are allocated and freed faster (results/lab_book.md).
std::string malloc_by_large_pages() {
  const char* own = std::getenv("GLIBC_TUNABLES");
  return fmt::format("GLIBC_TUNABLES={}{}glibc.malloc.hugetlb=1", own ? own : "", own ? ":" : "");
}

int run_tune(CommandLine& given) {
  if (given.asked.names.empty() && !given.asked.all)
    throw std::invalid_argument(
        "tune: expected NAME, a kernel or solver that `cfdmark list` shows, --all, or layouts or space");
  const std::vector<TuneJob> jobs = jobs_from(given.asked);
  TuneOptions& o = given.options;
  if (o.output.empty()) o.output = usual_output(given, jobs);
  if (jobs.front().row().backend == BackendKind::cuda) o.worker_variables = {malloc_by_large_pages()};
  o.one_answer = given.asked.sizes.one_answer;
  o.aim = aim_from(given.objective);
  if (o.aim != Aim::time && given.asked.check)
    throw std::invalid_argument("--check is of what was tuned for time: leave out --objective");
  if (!given.against.empty()) {
    if (jobs.size() > 1) throw std::invalid_argument("--against is for one NAME, precision and dimension");
    o.against = layout_from(given.against, jobs.front());
  }
  if (given.asked.check) return check_tuned(jobs, {o, given.fresh});
  if (jobs.size() == 1 && !given.asked.all && given.page.empty()) return tune_one(jobs.front(), o);
  if (given.asked.all && given.page.empty() && !o.tuned_folder.empty()) given.page = "out/layouts.html";
  return tune_several(jobs, {o, given.fresh}, given.page);
}

std::string strategy_help() {
  std::string text;
  for (const Strategy& s : strategies())
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", s.name, s.summary);
  return text;
}

// Adds a repeatable option that takes words separated by commas. The next word on the command line is not
// part of it, since it may be a NAME.
void add_list(CLI::App& command, const std::string& name, const std::string& kind,
              std::vector<std::string>& words, const std::string& help) {
  command.add_option(name, words, help)->type_name(kind)->delimiter(',')->allow_extra_args(false);
}

void add_search_options(CLI::App& command, TuneOptions& o) {
  add_time(command, "--budget", o.budget,
           "time for everything: 90s, 10m; shared among the grids, of several by their number of configs");
  add_value(command, "--strategy", "NAME", o.strategy, strategy_help());
  command.add_option("--seed", o.seed, "of every random choice of the search")->capture_default_str();
  add_value(command, "--samples", "N", o.samples, "that settle a config")->check(CLI::Range(1, 1000));
  add_timeout(command, o.timeout);
  command.add_flag_callback(
      "--no-roof", [&o] { o.measure_roof = false; }, "do not measure the bandwidth first");
  add_value(command, "--output", "FILE", o.output,
            "file of records, appended to; default: out/tune-NAME-BACKEND-PRECISION.jsonl, of --all "
            "out/tune-all-BACKEND.jsonl");
  add_value(command, "--tuned", "FOLDER", o.tuned_folder,
            "folder of the tuned tables that the answer is added to");
  command.add_flag_callback(
      "--keep-nothing", [&o] { o.tuned_folder.clear(); }, "leave the tuned tables as they are");
}

}  // namespace

void add_tune(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "tune", "searches the best config and method of kernels and solvers, and keeps the answers");
  auto arguments = std::make_shared<CommandLine>();
  CommandLine& given = *arguments;
  AskedTune& asked = given.asked;
  given.options.tuned_folder = tuned_folder();
  add_layouts(*command, status);
  add_space(*command, status);
  command->add_option("NAME", asked.names, "kernels or solvers that `cfdmark list` shows");
  command->add_flag(
      "--all", asked.all,
      "every kernel and solver with a choice but those of flows, in fp64 and fp32, on planes and "
      "boxes: a device in one command");
  add_list(*command, "--exclude", "NAME", asked.exclude, "of --all: not this one; NAME,NAME for several");
  command->add_flag("--solver", asked.solver,
                    "the solver of that name, where there is a kernel of that name too");
  command->add_option("--backend", asked.backend,
                      "serial, openmp, kokkos or cuda (default: the fastest that runs here)");
  add_device_choice(*command, asked.device);
  add_list(*command, "--precision", "NAME", asked.precisions,
           "fp32, fp64 or mixed; fp32,fp64 for several (default: fp64; of --all fp64,fp32)");
  command->add_option("--grid", asked.sizes.grids,
                      "NXxNY or NXxNYxNZ; may be repeated (default: 2048x2048 or 256x256x256, for 5x5 "
                      "blocks 128x128x128, for solvers 513x513, 64x64 or 32x32x32); "
                      "512x512:3 weighs three times in one answer");
  add_list(
      *command, "--ladder", "FIRST..LAST", asked.sizes.ladders,
      "grids in even steps, each at most twice as long a side: 256..8192 is 256x256, 512x512, up to "
      "8192x8192, or cubes for what is 3-D only; or grids, 64x64x64..256x256x256; may be repeated (default "
      "of --all: 128..8192 and cubes of 32..256, for 5x5 blocks 32..128, for solvers 128..1024 and cubes of "
      "32..128, for "
      "jacobi and gauss_seidel 32..64 and cubes of 16..32)");
  add_value(*command, "--ladder-steps", "N", asked.sizes.ladder_steps, "steps for each doubling of a side")
      ->check(CLI::Range(1, 16));
  command->add_flag("--check", asked.check,
                    "keep nothing: at each size the best that is found beside what was tuned and the default "
                    "(default: sizes between those of the usual ladders)");
  command->add_flag("--fresh", given.fresh,
                    "of several: also what is tuned already, with this source and these sizes");
  add_value(*command, "--page", "FILE", given.page,
            "at the end write the page of `tune layouts --page` (default of --all: out/layouts.html)");
  command->add_flag("--one-answer", asked.sizes.one_answer,
                    "one config for all sizes, of the least geometric mean of its regrets by their weights, "
                    "in place of one for each range");
  add_value(
      *command, "--objective", "NAME", given.objective,
      "time; energy: the least of those within 25 % of the least time, where a counter tells it; memory: "
      "the fastest of those with the fewest bytes of fields. The answer says what it costs in time")
      ->check(CLI::IsMember({"time", "energy", "memory"}));
  add_value(*command, "--against", "[METHOD:]LAYOUT", given.against,
            "compare the answers with a fixed layout too: block_x=32,block_y=8");
  command->add_option("--method", asked.method, "search this method only (default: across all)");
  command->add_option(
      "--problem", asked.problem,
      "of a solver: " + one_of(problem_names()) + " (default: the first that has such grids)");
  asked.settings.add_to(*command, asked_settings(catalog(), {RowKind::kernel, RowKind::solver}),
                        {RowKind::kernel, RowKind::solver});
  add_search_options(*command, given.options);
  command->footer(notes_text());
  command->callback([arguments, command, &status] {
    if (command->get_subcommands().empty()) status = run_tune(*arguments);
  });
}

}  // namespace cfdmark
