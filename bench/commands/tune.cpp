// cfdmark tune: searches the best config and method of a kernel or solver on this machine.
#include <fmt/format.h>

#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/program_options.hpp"
#include "bench/commands/setting_options.hpp"
#include "bench/tune/check.hpp"
#include "bench/tune/run_tune.hpp"
#include "bench/tuned/tuned_table.hpp"
#include "tuning/size_ranges.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

constexpr const char* notes = R"(examples:
  cfdmark tune red_black_sor --backend cuda --grid 4096x4096 --budget 60s
  cfdmark tune jacobi --backend cuda --ladder 256..8192      one answer per range of sizes
  cfdmark tune jacobi --backend cuda --against block_x=32,block_y=8   compared with a layout of yours
  cfdmark tune jacobi --backend cuda --objective energy      the least energy per cell, and its cost in time
  cfdmark tune sor --backend cuda --tolerance 1e-6           a solver, by its time to the tolerance
  cfdmark tune --all --budget 20m                            a whole device; run it again to continue
  cfdmark tune jacobi apply --check                          tuned configs against the best and the default
  cfdmark tune layouts                                       the answers of all devices
  cfdmark tune --command './app {{block}}' --parameter block=32,64,128 --time-from 'time: ([0-9.]+)'

Every evaluation is verified and recorded. Two new processes confirm the winner; otherwise the default stays.
Answers are saved in a tuned table, which sweeps use with `parameters: tuned`, and solves with `cfdmark solve
--tuned`. An answer holds between the sizes of its range and up to {size_margin} times as many cells beyond.
A check passes if the tuned config is at most {behind_best:.0f} % behind the best, and at most
{behind_default:.0f} % behind the default. docs/tuning.md explains ranges, budgets and checks.

exit status: 0 answers found; 1 no config works, device lost, or check failed; 2 wrong option or input; 3 a
file cannot be written; 4 the budget ended before all sizes were tuned; 5 both 1 and 4; 130 interrupted,
unsaved results are lost.)";

std::string notes_text() {
  const auto beyond_1 = [](double factor) { return 100 * (factor - 1); };
  return fmt::format(notes, fmt::arg("size_margin", size_margin),
                     fmt::arg("behind_best", beyond_1(most_behind_best)),
                     fmt::arg("behind_default", beyond_1(most_behind_default)));
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

// Tunes a program with the options that it shares with kernels.
int tune_with(ProgramTune program, const TuneOptions& shared) {
  program.strategy = shared.strategy;
  program.seed = shared.seed;
  program.samples = shared.samples;
  program.timeout = shared.timeout;
  program.budget = shared.budget;
  if (!shared.output.empty()) program.output = shared.output;
  return tune_program(program);
}

}  // namespace

void add_tune(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "tune", "search the best config and method of kernels and solvers, and save the answers");
  auto arguments = std::make_shared<TuneRequest>();
  TuneRequest& given = *arguments;
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
  command->add_option("--problem", asked.problem,
                      "problem of a solver, see `cfdmark solve --help` (default: the first that supports the "
                      "grid)");
  add_setting_options(*command, asked.settings,
                      workload_settings(catalog(), {RowKind::kernel, RowKind::solver}),
                      {RowKind::kernel, RowKind::solver});
  add_search_options(*command, given.options);
  auto program = std::make_shared<ProgramTune>();
  add_program_options(*command, *program);
  command->footer([arguments] { return tune_settings_help(arguments->asked); });
  command->footer(notes_text());
  command->callback([arguments, program, command, &status] {
    if (!command->get_subcommands().empty()) return;
    if (program->command.empty()) {
      status = run_tune(*arguments);
    } else {
      refuse_others(*command);
      status = tune_with(*program, arguments->options);
    }
  });
}

}  // namespace cfdmark
