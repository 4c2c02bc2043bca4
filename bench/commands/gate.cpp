// cfdmark gate: decides whether a change may pass, by a comparison with default sweep, budget and smallest
// effect.
#include "bench/commands/commands.hpp"
#include "bench/commands/comparison_options.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark gate --base ../before/build/release           this program against another, on sweeps/gate.yaml
  cfdmark gate --base OLD_BUILD --new NEW_BUILD my.yaml --filter cg/
  cfdmark gate before.jsonl after.jsonl --strict        records of two runs; undecided is a failure
  cfdmark gate before/ after/                           folders of JSON of Google Benchmark or nvbench

The same as `cfdmark compare` with other defaults: four minutes for two builds, in which an idle machine of
two cores can detect changes of 3 %. On a busy machine some cases end as the same within a wider bound, up to
--widest-same; their lines say so. --strict allows 3 % only. In a checkout of this project `./scripts/gate`
builds the previous commit and runs this command.)";

}  // namespace

void add_gate(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "gate", "decide whether a change may pass: compare this build with another, or two result files");
  auto given = std::make_shared<compare::ComparisonRequest>();
  given->usual_sweep = "sweeps/gate.yaml";
  given->builds.budget = 240;  // seconds
  given->builds.settings.rule.smallest_effect = 0.03;
  given->builds.settings.rule.widest_same = 0.10;
  command->add_option("FILES", given->inputs,
                      "sweep for two builds (default: sweeps/gate.yaml); or BASE and NEW: result files "
                      "or folders of them");
  add_comparison_options(*command, *given);
  command->footer(std::string(notes) + comparison_exit_statuses);
  command->callback([given, &status] { status = compare::compare_or_complain(*given); });
}

}  // namespace cfdmark
