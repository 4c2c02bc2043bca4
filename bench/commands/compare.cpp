// cfdmark compare: what became faster or slower between two record files or two builds.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "bench/commands/commands.hpp"
#include "bench/commands/gbench.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/compare/builds.hpp"
#include "bench/compare/comparison_text.hpp"
#include "bench/record/records.hpp"
#include "bench/run/program.hpp"
#include "bench/sweep/duration.hpp"
#include "bench/sweep/words.hpp"

namespace cfdmark {
namespace {

using namespace compare;

constexpr const char* notes = R"(examples:
  cfdmark compare before.jsonl after.jsonl
  cfdmark compare before.jsonl after.jsonl --format markdown --output comment.md
  cfdmark compare --base ../before/build/release --new build/release sweeps/gate.yaml --budget 4m

Two builds are measured in rounds. A round starts both, and the base once more as a control; the three processes measure
every case in turns of a few milliseconds. Undecided cases go on until they are decided or the budget is over.
Two files hold what two runs saw at two times: what shifts a whole run looks like a change there.

Verdicts: slower and faster are at least the smallest effect, with the share of false ones held over all cases; same lies
within it; undecided is neither.

exit status: 0 no regression; 1 a case is slower or uses more; 2 nothing was compared: a wrong option, bad input, sides
that are not comparable, a file that could not be written; 3 undecided, and nothing worse; 4 a case gave a wrong answer,
crashed or is missing, whatever else; 130 interrupted.)";

struct Wishes {
  std::vector<std::string> inputs, outputs, thresholds;
  std::string format, gbench, budget, timeout = "10m";
  double effect_percent = 3, false_percent = 5;
  BuildsOptions builds;
};

struct Sides {
  Side base, now;
  Comparison comparison;
  bool interrupted = false;
};

Sides compare_files(const Wishes& w) {
  const CaseFilter filter(w.builds.filter);
  Sides s{Side::of_file(w.inputs[0]), Side::of_file(w.inputs[1]), {}};
  s.base.keep_only(filter);
  s.now.keep_only(filter);
  s.comparison = compare_sides(s.base, s.now, nullptr, w.builds.settings);
  return s;
}

Sides compare_two_builds(Wishes& w) {
  w.builds.sweep = w.inputs[0];
  w.builds.timeout = duration_from(w.timeout);
  if (!w.budget.empty()) w.builds.budget = duration_from(w.budget);
  Progress progress(stderr);
  BuildsResult result = compare_builds(w.builds, progress);
  return {std::move(result.base), std::move(result.now), std::move(result.comparison), result.interrupted};
}

// Of C++ and, made of the second, of Python.
const std::vector<std::string> formats = {"table", "json", "markdown", "junit", "github"};

// Throws std::invalid_argument for a name that is none of them, std::runtime_error where Python is missing.
void check_format(const std::string& name) {
  if (std::find(formats.begin(), formats.end(), name) == formats.end())
    throw std::invalid_argument(
        fmt::format("--format {}: expected {}{}", name, one_of(formats), did_you_mean(name, formats)));
  if (name != "table" && name != "json") script_command("comparison.py", {name});
}

std::string in_format(const Comparison& c, const std::string& name) {
  if (name == "table") return comparison_table(c);
  const std::string json = comparison_json(c).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
  if (name == "json") return json;
  const ProgramEnd end = run_program(script_command("comparison.py", {name}), json, true);
  if (!end.how.empty()) throw std::runtime_error(fmt::format("scripts/comparison.py {}", end.how));
  return end.output;
}

// The format that a file's name asks for.
std::string format_by_ending(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".md" ? "markdown" : ending == ".xml" ? "junit" : ending == ".json" ? "json" : "table";
}

std::string format_of(const Wishes& w, const std::string& output) {
  return w.format.empty() ? format_by_ending(output) : w.format;
}

void check(const Wishes& w) {
  const bool builds = !w.builds.base.empty() || !w.builds.now.empty();
  if (builds && (w.builds.base.empty() || w.builds.now.empty() || w.inputs.size() != 1))
    throw std::invalid_argument("expected --base BUILD_DIR, --new BUILD_DIR and one SWEEP.yaml");
  if (!builds && w.inputs.size() != 2)
    throw std::invalid_argument(
        "expected two files of records, BASE.jsonl and NEW.jsonl, or --base BUILD_DIR --new BUILD_DIR "
        "SWEEP.yaml");
  if (w.outputs.size() > 1 && !w.format.empty())
    throw std::invalid_argument(
        "with several --output each takes its format from its ending: leave --format away");
  if (!w.format.empty()) check_format(w.format);
  for (const std::string& path : w.outputs) check_format(format_of(w, path));
}

void write_text(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw WriteError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

void write_all(const Wishes& w, const Sides& s) {
  for (const std::string& path : w.outputs) write_text(path, in_format(s.comparison, format_of(w, path)));
  if (!w.gbench.empty()) {
    write_gbench(s.base.merged_lines(), s.base.names(), w.gbench + ".base.json");
    write_gbench(s.now.merged_lines(), s.now.names(), w.gbench + ".new.json");
  }
  const bool to_terminal = w.outputs.empty() && !w.format.empty();
  fmt::print("{}", in_format(s.comparison, to_terminal ? w.format : "table"));
}

int run_compare(Wishes& w) {
  check(w);  // before minutes are spent
  CompareSettings& settings = w.builds.settings;
  settings.rule = {w.effect_percent / 100, w.false_percent / 100};
  settings.thresholds = thresholds_from(w.thresholds);
  const Sides sides = w.inputs.size() == 2 ? compare_files(w) : compare_two_builds(w);
  write_all(w, sides);
  return sides.interrupted ? exit_interrupted : exit_status(sides.comparison);
}

// Whatever kept a comparison from coming about must not look like a verdict.
int compare_or_complain(Wishes& w) {
  try {
    return run_compare(w);
  } catch (const std::exception& e) {
    fmt::print(stderr, "cfdmark: {}\n", e.what());
    return compare_usage;
  }
}

void add_statistics(CLI::App& command, Wishes& w) {
  command.add_option("--effect", w.effect_percent, "the smallest change of time that matters")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  command
      .add_option("--false-discoveries", w.false_percent,
                  "share of the cases called slower or faster that may be so by chance")
      ->type_name("PERCENT")
      ->check(CLI::Range(1e-6, 50.0))
      ->capture_default_str();
  command
      .add_option(
          "--threshold", w.thresholds,
          "change of something else than time that matters: registers, spills, occupancy, field_memory, "
          "host_memory, iterations, instructions")
      ->type_name("NAME=PERCENT");
  command
      .add_option("--seed", w.builds.settings.seed,
                  "of the order of the builds in a round and of the bootstrap")
      ->capture_default_str();
  command.add_flag("--force", w.builds.settings.force,
                   "compare what is of different devices, configs or schema versions, with a warning");
}

void add_measuring(CLI::App& command, Wishes& w) {
  command.add_option("--base", w.builds.base, "build folder to compare with")->type_name("BUILD_DIR");
  command.add_option("--new", w.builds.now, "build folder to judge")->type_name("BUILD_DIR");
  command
      .add_option("--budget", w.budget,
                  "time for measuring two builds: 90s, 4m; default: until all is decided")
      ->type_name("TIME");
  command
      .add_option("--case-seconds", w.builds.case_seconds,
                  "time that the samples of a case may take in one round")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--rounds,--launches", w.builds.most_rounds, "after so many, undecided stays undecided")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command
      .add_option("--timeout", w.timeout,
                  "time after which one preparation, verification or sample is given up")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_option("--keep", w.builds.keep, "folder for the records of every round")->type_name("FOLDER");
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "compare",
      "compares two files of records, or two builds: faster, same, slower or undecided, case by case");
  auto w = std::make_shared<Wishes>();
  command->add_option("FILES", w->inputs, "BASE.jsonl and NEW.jsonl, or a sweep for two builds")->required();
  command->add_option("--filter", w->builds.filter, "only cases whose name has a match")->type_name("REGEX");
  add_measuring(*command, *w);
  add_statistics(*command, *w);
  command->add_option("--format", w->format, "table, markdown, junit, github or json; default: table")
      ->type_name("NAME");
  command
      ->add_option("--output", w->outputs,
                   "file for --format; several take it from their endings: .md .xml .json, else table")
      ->type_name("FILE");
  command
      ->add_option("--gbench", w->gbench,
                   "also write PREFIX.base.json and PREFIX.new.json, for Google Benchmark's compare.py")
      ->type_name("PREFIX");
  command->footer(notes);
  command->callback([w, &status] { status = compare_or_complain(*w); });
}

}  // namespace cfdmark
