// cfdmark campaign: measures a device in several sittings.
#include "bench/runs/campaign.hpp"

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark campaign --dry-run              what is still to measure, and how long that takes
  cfdmark campaign --budget 8m            a sitting of eight minutes
  cfdmark campaign --budget 8m --output results/nvidia-h200
  cfdmark campaign --filter '^jacobi/'    only these cases
  cfdmark campaign --add from-gpu --output results/nvidia-h200   records of another machine
  cfdmark campaign my-list.yaml           another list; sweeps/README.md says how to write one

The list names sweeps and tunes, the most important first. A sitting continues where the last one ended, and
measures a case again only if its record no longer counts: the code of its kernel, solver or problem changed
(not the commit), or the compiler, its flags, the kind of device or the number of threads. Each case has one
record in the folder: a newer one removes the older, in whichever file it is. A case takes its full sampling
time: a budget ends a sitting and shortens nothing. Tuned tables go to `tuned` next to the folder.

A folder with records of processors by another instruction set is refused. A case that failed is re-measured
only after its code changed, or with --retry.

exit status: 0 everything is measured; 1 the record of a case is a wrong result, an error, a crash or a
timeout; 2 an invalid option or input, or records that are refused; 3 a file could not be written; 4 the
budget ended before every case was measured; 5 both 1 and 4; 130 interrupted.)";

}  // namespace

void add_campaign(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "campaign", "measure a device in as many sittings as it takes: what changed, and the rest");
  auto given = std::make_shared<CampaignRequest>();
  command->add_option("LIST", given->list, "what is measured, in order")->capture_default_str();
  add_value(*command, "--output", "FOLDER", given->folder,
            "folder of the records, a file for each sweep (default: out/campaign/DEVICE)");
  add_time(*command, "--budget", given->budget,
           "time limit of this sitting, such as 90s, 8m or 1h30m (default: none)");
  add_value(*command, "--add", "FOLDER", given->add,
            "add the records of another folder, such as one of a lent machine; measures nothing");
  command->add_flag("--dry-run", given->dry_run, "print what is still to measure and the estimated time");
  add_value(*command, "--filter", "REGEX", given->filter,
            "select cases by name; all of several patterns separated by spaces must match");
  command->add_flag("--retry", given->retry, "also measure cases again whose record has no time");
  command->add_flag_callback(
      "--no-roofs", [given] { given->measure_roofs = false; },
      "skip measuring the memory bandwidth; records then lack their fraction of it");
  command->add_flag_callback(
      "--no-page", [given] { given->page = false; }, "do not update README.md of the folder");
  add_timeout(*command, given->timeout);
  command->footer(notes);
  command->callback([given, &status] { status = campaign(*given); });
}

}  // namespace cfdmark
