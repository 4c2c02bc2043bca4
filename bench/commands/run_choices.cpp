#include "bench/commands/run_choices.hpp"

#include <fmt/format.h>

#include "bench/commands/options.hpp"
#include "bench/ranks/launcher.hpp"

namespace cfdmark {

void add_run_choices(CLI::App& command, RunChoices& choices, const std::string& whole) {
  RunOptions& options = choices.options;
  add_value(command, "--filter", "REGEX", choices.filter,
            "select cases by name, in full or as --dry-run shows it; all of several patterns separated "
            "by spaces must match");
  add_time(command, "--budget", options.budget,
           fmt::format("time limit for {}, shared among its cases, such as 90s, 10m or 1h30m (default: none)",
                       whole));
  command.add_flag("--dry-run", choices.dry_run, "list the cases without measuring");
  command.add_flag("--fresh", options.fresh,
                   "start from scratch; earlier records move to FILE.bak, FILE.bak.2 and so on");
  add_value(command, "--case-seconds", "SECONDS", options.case_seconds, "sampling time of a case")
      ->check(is_positive);
  add_percent(command, "--interval", options.interval,
              "stop a case when half the 95 % confidence interval of its median is below this")
      ->check(is_positive);
  add_value(command, "--processes", "N", options.processes,
            "successive processes that measure each case, as far as the budget allows; the interval then "
            "includes the spread between processes")
      ->check(CLI::Range(1, 100));
  add_timeout(command, options.timeout);
  command
      .add_option_function<std::string>(
          "--launcher",
          [&options](const std::string& launcher) {
            launcher_words(launcher, 1);
            options.worker.insert(options.worker.end(), {"--launcher", launcher});
          },
          "command that starts ranks with join=mpi (default: 'srun -n {ranks}' in an allocation of Slurm, "
          "else "
          "'mpirun -n {ranks}')")
      ->type_name("COMMAND");
  command.add_flag_callback(
      "--no-roofs", [&options] { options.measure_roofs = false; },
      "skip measuring the memory bandwidth; records then lack their fraction of it");
}

}  // namespace cfdmark
