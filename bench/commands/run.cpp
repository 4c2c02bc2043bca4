// cfdmark run: measures the cases of a sweep.
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/run_choices.hpp"
#include "bench/runs/run_sweep.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark run sweeps/quick.yaml
  cfdmark run sweeps/quick.yaml --dry-run
  cfdmark run sweeps/poisson.yaml --filter '/cuda/fp64' --budget 10m
  cfdmark run sweeps/quick.yaml --fresh --output out/after.jsonl
  cfdmark run sweeps/poisson.yaml --shard 2/4   the second of four parts: out/poisson.2-of-4.jsonl

`cfdmark list` shows every setting of sweeps, with its values, its meaning and its default. Names of cases
show what differs from the defaults.

After an interruption the same command without --fresh continues. Cases for which the file has a correct
result of this program and machine are not measured again; all others are.

exit status: 0 success; 1 the newest record of a case is a wrong result, an error, a crash or a timeout,
whether or not this run measured it; 2 an invalid option or input; 3 a file could not be written; 4 the budget
ended before every case was measured; 5 both 1 and 4; 130 interrupted.)";

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("run", "measure the cases of a sweep and append their records to a file");
  auto given = std::make_shared<SweepRequest>();
  command->add_option("SWEEP", given->sweep, "sweep file; sweeps/quick.yaml and others come with the program")
      ->required();
  add_value(*command, "--output", "FILE", given->choices.options.output,
            "result file (default: out/SWEEP.jsonl, with --shard out/SWEEP.I-of-N.jsonl)");
  add_value(*command, "--shard", "I/N", given->shard,
            "measure part I of N of the selected cases; cases that are measured together stay together");
  add_device_choice(*command, given->device);
  add_run_choices(*command, given->choices, "the whole run");
  command->add_flag("--routines", given->routines,
                    "also measure the time of each solver by routine, in a separate solve");
  add_value(*command, "--gbench", "FILE", given->gbench,
            "also write all records of the sweep in the format of Google Benchmark");
  add_value(*command, "--action-benchmark", "FILE", given->action,
            "also write the medians for github-action-benchmark (tool: customSmallerIsBetter)");
  command->footer(notes);
  command->callback([given, &status] { status = run_sweep(*given); });
}

}  // namespace cfdmark
