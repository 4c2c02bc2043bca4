// cfdmark tune: searches the best config and method of a kernel or solver on this machine.
#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/device_choice.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"
#include "bench/commands/tune_jobs.hpp"
#include "bench/record/records.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/words.hpp"
#include "bench/tune/check.hpp"
#include "bench/tune/tune_rows.hpp"
#include "bench/tune/tune_text.hpp"
#include "bench/tuned/tuned_table.hpp"
#include "solvers/problems/problem.hpp"
#include "tuning/size_ranges.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

constexpr const char* notes = R"(examples:
  cfdmark tune red_black_sor --backend cuda --grid 4096x4096 --budget 60s
  cfdmark tune jacobi --backend cuda --ladder 256..8192   one answer per range of sizes
  cfdmark tune jacobi --backend openmp --grid 512x512 --grid 4096x4096:3 --one-answer
  cfdmark tune jacobi --backend cuda --against block_x=32,block_y=8   compared with a layout of yours
  cfdmark tune jacobi --backend cuda --operator arrays    with coefficient arrays
  cfdmark tune jacobi --backend cuda --objective energy   the least energy per cell, and its cost in time
  cfdmark tune jacobi apply triad --precision fp32,fp64 --ladder 256..8192   several kernels
  cfdmark tune --all --budget 20m                         a whole device; run it again to continue
  cfdmark tune jacobi apply --check                       tuned configs against the best and the default
  cfdmark tune sor --backend cuda --tolerance 1e-6        a solver, by its time to the tolerance
  cfdmark tune triad --strategy exhaustive --method plain   record the whole space
  cfdmark tune layouts                                    list the answers of all devices
  cfdmark tune space out/tune-triad-openmp-fp64.jsonl     show a recorded space

Confirmation: two new processes measure the fastest config and the default again. They give the gain; if they
do not confirm it, the default stays. Confirmation may exceed the --budget by a quarter, at most by four
seconds. Candidates without time stay unconfirmed.

Ranges: with several sizes the winner of each size is confirmed at the others too. Neighbouring sizes form a
range while one config is within {near_enough:.0f} % of the best at each, nowhere slower than the default, and
the working sets are in the same cache regime. The config with the least worst regret wins. An answer holds
between the sizes of its range and up to {size_margin} times as many cells beyond. Elsewhere a look-up gives
the default.

Every evaluation is verified and recorded. Answers are saved in a tuned table, which sweeps use with
`parameters: tuned`, and solves with `cfdmark solve --tuned`.

Several kernels: each answer is saved at once, and the same command continues after an interruption. It skips
kernels that have a current answer at these sizes. Each job gets the time it needs for its grids, fields and
configs, and a share of the rest of the budget. With a short budget each gets the same fraction of its need,
and remaining jobs are for the next run. --precision fp64 and --exclude leave more time for the others. Flow
solvers are tuned by name only, on grids that they solve in about a second.

Check: it passes if the tuned config is at most {behind_best:.0f} % behind the best and {behind_default:.0f} %
behind the default. The default is compared with the fastest config that makes as many steps per run; for a
kernel that is one step.

exit status: 0 answers found; 1 no config works, device lost, or check failed; 2 wrong option or input; 3 a
file cannot be written; 4 the budget ended before all sizes were tuned; 5 both 1 and 4; 130 interrupted,
unsaved results are lost.)";

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
  bool retune = false;
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
  const TuneResult result = tune(job.targets, o, session, progress);
  print_answers(result, o);
  fmt::print("{}\nrecords: {}\n", time_text(session), printable(o.output));
  if (!result.table.empty()) fmt::print("tuned table: {}\n", result.table);
  if (!result.left.empty()) fmt::print("remaining: {}; increase --budget\n", left_sizes_text(result));
  if (!result.unkept.empty()) throw WriteError(result.unkept);
  return result.interrupted ? exit_interrupted : result.left.empty() ? exit_ok : exit_cases_left;
}

// Returns the variable that makes malloc use 2 MiB pages. Host copies of device fields take gigabytes and are
// not timed; large pages are allocated and freed faster (docs/decisions).
std::string malloc_by_large_pages() {
  const char* own = std::getenv("GLIBC_TUNABLES");
  return fmt::format("GLIBC_TUNABLES={}{}glibc.malloc.hugetlb=1", own ? own : "", own ? ":" : "");
}

int run_tune(CommandLine& given) {
  if (given.asked.names.empty() && !given.asked.all)
    throw std::invalid_argument(
        "tune: expected the NAME of a kernel or solver (see `cfdmark list`), --all, layouts or space");
  const std::vector<TuneJob> jobs = jobs_from(given.asked);
  TuneOptions& o = given.options;
  if (o.output.empty()) o.output = usual_output(given, jobs);
  if (jobs.front().row().backend == BackendKind::cuda) o.worker_variables = {malloc_by_large_pages()};
  o.one_answer = given.asked.sizes.one_answer;
  o.objective = objective_from(given.objective);
  if (o.objective != Objective::time && given.asked.check)
    throw std::invalid_argument("--check compares times; remove --objective");
  if (!given.against.empty()) {
    if (jobs.size() > 1)
      throw std::invalid_argument("--against needs a single NAME, precision and dimension");
    o.against = layout_from(given.against, jobs.front());
  }
  if (given.asked.check) return check_tuned(jobs, {o, given.retune});
  if (jobs.size() == 1 && !given.asked.all && given.page.empty()) return tune_one(jobs.front(), o);
  if (given.asked.all && given.page.empty() && !o.tuned_folder.empty()) given.page = "out/layouts.html";
  return tune_several(jobs, {o, given.retune}, given.page);
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
           "total time, such as 90s or 10m, shared among grids and kernels (default: none)");
  add_value(command, "--strategy", "NAME", o.strategy, strategy_help());
  command.add_option("--seed", o.seed, "seed of the search")->capture_default_str();
  add_value(command, "--samples", "N", o.samples, "samples per config")->check(CLI::Range(1, 1000));
  add_timeout(command, o.timeout);
  command.add_flag_callback(
      "--no-roof", [&o] { o.measure_roof = false; }, "skip the roofline measurement");
  add_value(command, "--output", "FILE", o.output,
            "record file, appended to (default: out/tune-NAME-BACKEND-PRECISION.jsonl; with --all "
            "out/tune-all-BACKEND.jsonl)");
  add_value(command, "--tuned", "FOLDER", o.tuned_folder, "folder of tuned tables to save answers to");
  command.add_flag_callback(
      "--keep-nothing", [&o] { o.tuned_folder.clear(); }, "do not save answers");
}

}  // namespace

void add_tune(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "tune", "search the best config and method of kernels and solvers, and save the answers");
  auto arguments = std::make_shared<CommandLine>();
  CommandLine& given = *arguments;
  AskedTune& asked = given.asked;
  given.options.tuned_folder = tuned_folder();
  add_layouts(*command, status);
  add_space(*command, status);
  command->add_option("NAME", asked.names, "kernels or solvers (see `cfdmark list`)");
  command->add_flag(
      "--all", asked.all,
      "all kernels and solvers with at least two configs, in fp64 and fp32, in 2-D and 3-D; without "
      "flow solvers");
  add_list(*command, "--exclude", "NAME", asked.exclude, "names that --all skips, separated by commas");
  command->add_flag("--solver", asked.solver, "take the solver if a kernel has the same name");
  command->add_option("--backend", asked.backend,
                      "serial, openmp, kokkos or cuda (default: the fastest available)");
  add_device_choice(*command, asked.device);
  add_list(*command, "--precision", "NAME", asked.precisions,
           "fp32, fp64 or mixed, separated by commas (default: fp64; with --all fp64,fp32)");
  command->add_option("--grid", asked.sizes.grids,
                      "grid NXxNY or NXxNYxNZ in cells, repeatable; 512x512:3 has weight 3 with "
                      "--one-answer (default: 2048x2048 or 256x256x256; 5x5 blocks 128x128x128; solvers "
                      "513x513, 64x64 or 32x32x32)");
  add_list(
      *command, "--ladder", "FIRST..LAST", asked.sizes.ladders,
      "grids in equal ratios of at most two per side, repeatable: 256..8192 is 256x256, 512x512, up to "
      "8192x8192, or cubes for 3-D kernels; also 64x64x64..256x256x256 (default with --all: 128..8192 and "
      "cubes 32..256; 5x5 blocks 32..128; solvers 128..1024 and cubes 32..128; jacobi and gauss_seidel "
      "32..64 and cubes 16..32)");
  add_value(*command, "--ladder-steps", "N", asked.sizes.ladder_steps, "steps per doubling of a side")
      ->check(CLI::Range(1, 16));
  command->add_flag("--check", asked.check,
                    "validate the tuned tables against a new search and the default; save nothing "
                    "(default sizes: between those of the default ladders)");
  command->add_flag("--retune", given.retune,
                    "with several kernels: do not skip those that have a current answer");
  add_value(*command, "--page", "FILE", given.page,
            "write the page of `tune layouts --page` at the end (default with --all: out/layouts.html)");
  command->add_flag("--one-answer", asked.sizes.one_answer,
                    "one config for all sizes instead of one per range: the least weighted geometric mean "
                    "of its regrets");
  add_value(*command, "--objective", "NAME", given.objective,
            "time; energy: least energy within 25 % of the least time, needs a counter; memory: the fastest "
            "with the fewest bytes of fields")
      ->check(CLI::IsMember({"time", "energy", "memory"}));
  add_value(*command, "--against", "[METHOD:]LAYOUT", given.against,
            "layout to compare the answers with, such as block_x=32,block_y=8");
  command->add_option("--method", asked.method, "method to search (default: all)");
  command->add_option(
      "--problem", asked.problem,
      "problem of a solver: " + one_of(problem_names()) + " (default: the first that supports the grid)");
  add_setting_options(*command, asked.settings,
                      workload_settings(catalog(), {RowKind::kernel, RowKind::solver}),
                      {RowKind::kernel, RowKind::solver});
  add_search_options(*command, given.options);
  command->footer(notes_text());
  command->callback([arguments, command, &status] {
    if (command->get_subcommands().empty()) status = run_tune(*arguments);
  });
}

}  // namespace cfdmark
