// cfdmark compare: compares two runs or two builds.
#include "bench/commands/commands.hpp"
#include "bench/commands/comparison_options.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark compare before.jsonl after.jsonl
  cfdmark compare before.jsonl after.jsonl --format markdown --output comment.md
  cfdmark compare --base ../before/build/release --new build/release sweeps/gate.yaml --budget 4m

Two builds are measured in rounds. A round starts both builds, and the base again as a control. The three
processes measure every case alternately, a few milliseconds at a time. Undecided cases are measured further
until they are decided or the budget ends. Two files come from runs at different times, so a shift of a whole
run looks like a change.

Files are those of `cfdmark run`, or JSON of Google Benchmark (--benchmark_out) or nvbench (--jsonbin, or
--json, which has one mean per state). A folder contains several files, each of one process; the n-th of BASE
is paired with the n-th of NEW. One sample per side decides nothing.

Verdicts: slower or faster by at least the smallest effect, with the share of false verdicts controlled over
all cases; same, within that effect; undecided, if neither is certain.)";

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "compare", "compare two result files or two builds, case by case: faster, same, slower or undecided");
  auto given = std::make_shared<compare::ComparisonRequest>();
  command
      ->add_option("FILES", given->inputs,
                   "BASE and NEW: result files or folders of them; or a sweep for two builds")
      ->required();
  add_comparison_options(*command, *given);
  command->footer(std::string(notes) + comparison_exit_statuses);
  command->callback([given, &status] { status = compare::compare_or_complain(*given); });
}

}  // namespace cfdmark
