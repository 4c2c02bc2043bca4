// cfdmark compare: compares two runs or two builds.
#include "bench/commands/commands.hpp"
#include "bench/commands/comparing.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark compare before.jsonl after.jsonl
  cfdmark compare before.jsonl after.jsonl --format markdown --output comment.md
  cfdmark compare --base ../before/build/release --new build/release sweeps/gate.yaml --budget 4m

Two builds are measured in rounds. A round starts both, and the base once more as a control; the three
processes measure every case in turns of a few milliseconds. Undecided cases go on until they are decided or
the budget is over. Two files hold what two runs saw at two times: what shifts a whole run looks like a change
there.

Files hold what `cfdmark run` wrote, or are JSON of Google Benchmark (--benchmark_out) or nvbench (--jsonbin,
or --json, which keeps one mean a state). A folder holds several files, each a process; the n-th of BASE is
paired with the n-th of NEW. One sample a side decides nothing.

Verdicts: slower and faster are at least the smallest effect, with the share of false ones held over all
cases; same lies within it; undecided is neither.)";

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "compare",
      "compares two files of results, or two builds: faster, same, slower or undecided, case by case");
  auto given = std::make_shared<ComparisonRequest>();
  command
      ->add_option("FILES", given->inputs,
                   "BASE and NEW: files of results or folders of them; or a sweep for two builds")
      ->required();
  add_comparison_options(*command, *given);
  command->footer(std::string(notes) + comparison_exit_statuses);
  command->callback([given, &status] { status = compare_or_complain(*given); });
}

}  // namespace cfdmark
