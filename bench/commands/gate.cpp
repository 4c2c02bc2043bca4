// cfdmark gate: decides whether a change may pass, by a comparison with default sweep, budget and smallest
// effect.
#include "bench/commands/commands.hpp"
#include "bench/commands/comparing.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark gate --base ../before/build/release           this program against another, on sweeps/gate.yaml
  cfdmark gate --base OLD_BUILD --new NEW_BUILD my.yaml --filter cg/
  cfdmark gate before.jsonl after.jsonl --strict        what two runs recorded; undecided does not pass
  cfdmark gate before/ after/                           folders of JSON that Google Benchmark or nvbench wrote

It is `cfdmark compare` with what a gate needs: four minutes for two builds, in which a quiet machine of two
cores can tell changes of 3 %. On a busy one some cases end as the same within more, up to --widest-same,
which their lines say; --strict lets only the 3 % pass. In a checkout of this project `./scripts/gate` builds
the commit before and calls it.)";

}  // namespace

void add_gate(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "gate", "may a change pass? compares this build with another, or two files of results");
  auto given = std::make_shared<ComparisonRequest>();
  given->usual_sweep = "sweeps/gate.yaml";
  given->builds.budget = 240;  // seconds
  given->builds.settings.rule.smallest_effect = 0.03;
  given->builds.settings.rule.widest_same = 0.10;
  command->add_option("FILES", given->inputs,
                      "a sweep for two builds (default: sweeps/gate.yaml); or BASE and NEW: files of results "
                      "or folders of them");
  add_comparison_options(*command, *given);
  command->footer(std::string(notes) + comparison_exit_statuses);
  command->callback([given, &status] { status = compare_or_complain(*given); });
}

}  // namespace cfdmark
