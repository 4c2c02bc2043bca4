// cfdmark gbench: runs the cases of a sweep as benchmarks of Google Benchmark.
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/runs/run_gbench.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark gbench --benchmark_list_tests
  cfdmark gbench --benchmark_filter='^jacobi/(serial|openmp)/fp64/'
  cfdmark gbench sweeps/quick.yaml --benchmark_filter='^triad/'
  cfdmark gbench --benchmark_filter='^dot/' --benchmark_repetitions=10 --benchmark_out=dot.json

All --benchmark_* flags go to Google Benchmark unchanged; its documentation explains them. A benchmark has the
name of its case in records, to which Google Benchmark adds /manual_time: the time is that of the backend's
clock, from idle to idle, per step. Without SWEEP every row of the catalog is a benchmark, on one grid.

Each case is verified before it is timed. A wrong result is an error of its benchmark. A case that cannot run
here is skipped with its reason; before Google Benchmark 1.8 this is also shown as an error. Counters:
bytes_per_second and GB/s count what a step must move at least, items_per_second counts cells; CSV has only
those per second. The context has the facts of the build and of the machine. A warning that the library was
built as DEBUG does not concern these times.

All cases run in this process: a crash ends everything. `cfdmark run` survives crashes, and its records have
intervals, ceilings and energy; its option --gbench writes them for Google Benchmark's compare.py. `cfdmark
compare` and `gate` read the files of both.

exit status: 0 success, also if cases cannot run here; 1 a benchmark had a wrong result or an error; 2 an
invalid option or input, or no benchmark matches; 3 a file or the standard output could not be written.)";

// Refuses what is neither an option of this command nor a flag of Google Benchmark.
void check_flags(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags)
    if (!flag.starts_with("--benchmark_") && !flag.starts_with("--v=")) throw CLI::ExtrasError({flag});
}

}  // namespace

void add_gbench(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("gbench", "run cases as benchmarks of Google Benchmark, with its flags");
  auto given = std::make_shared<GbenchRequest>();
  add_value(*command, "SWEEP", "FILE", given->sweep, "sweep file");
  add_device_choice(*command, given->device);
  command->allow_extras();
  command->footer(notes);
  command->callback([given, command, &status] {
    given->flags = command->remaining();
    check_flags(given->flags);
    status = run_gbench(*given);
  });
}

}  // namespace cfdmark
