#include "bench/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/compare/comparison_text.hpp"
#include "bench/compare/result_files.hpp"
#include "bench/record/output_file.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/words.hpp"
#include "bench/worker/data_files.hpp"
#include "bench/worker/program.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark::compare {
namespace {

Compared compare_files(const ComparisonRequest& given) {
  const CaseFilter filter(given.builds.filter);
  Side base = side_of(given.inputs[0], given.time), now = side_of(given.inputs[1], given.time);
  if (base.files() != now.files())
    throw std::invalid_argument(
        fmt::format("{} has {} result files and {} has {}; expected equally many, to pair them", base.name(),
                    base.files(), now.name(), now.files()));
  base.keep_only(filter);
  now.keep_only(filter);
  Comparison comparison = compare_sides(base, now, nullptr, given.builds.settings);
  widen_same(comparison);
  return {std::move(comparison), std::move(base), std::move(now)};
}

Compared compare_two_builds(ComparisonRequest& given) {
  given.builds.sweep = sweep_path(given.inputs[0]);
  Progress progress(stderr);
  return compare_builds(given.builds, progress);
}

// Formats written in C++, and those that Python derives from JSON.
const std::vector<std::string> formats = {"table", "json", "markdown", "junit", "github"};

// Throws std::invalid_argument for an unknown name, std::runtime_error if Python is missing.
void check_format(const std::string& name) {
  if (std::find(formats.begin(), formats.end(), name) == formats.end())
    throw std::invalid_argument(
        fmt::format("--format {}: expected {}{}", name, one_of(formats), did_you_mean(name, formats)));
  if (name != "table" && name != "json") script_command("comparison", {name});
}

std::string in_format(const Comparison& c, const std::string& name) {
  if (name == "table") return comparison_table(c);
  const std::string json = comparison_json(c).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
  if (name == "json") return json;
  const ProgramEnd end = run_program(script_command("comparison", {name}), json, true);
  if (!end.how.empty()) throw std::runtime_error(fmt::format("scripts/cfdmark comparison {}", end.how));
  return end.output;
}

// Returns the format that belongs to a file extension.
std::string format_by_ending(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".md" ? "markdown" : ending == ".xml" ? "junit" : ending == ".json" ? "json" : "table";
}

std::string format_of(const ComparisonRequest& given, const std::string& output) {
  return given.format.empty() ? format_by_ending(output) : given.format;
}

std::string folder_of_this_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

void take_defaults(ComparisonRequest& given) {
  if (given.usual_sweep.empty() || given.builds.base.empty()) return;
  if (given.builds.now.empty()) given.builds.now = folder_of_this_program();
  if (given.inputs.empty()) given.inputs = {data_path(given.usual_sweep)};
}

void check(const ComparisonRequest& given) {
  const bool builds = !given.builds.base.empty() || !given.builds.now.empty();
  if (builds && (given.builds.base.empty() || given.builds.now.empty() || given.inputs.size() != 1))
    throw std::invalid_argument("expected --base BUILD_DIR, --new BUILD_DIR and one SWEEP.yaml");
  if (!builds && given.inputs.size() != 2)
    throw std::invalid_argument(
        "expected BASE and NEW, two result files or folders of them, or --base BUILD_DIR --new BUILD_DIR "
        "SWEEP.yaml");
  if (builds && given.time != "auto")
    throw std::invalid_argument("--time applies to files of Google Benchmark, not to builds");
  if (given.outputs.size() > 1 && !given.format.empty())
    throw std::invalid_argument(
        "with several --output the formats follow from the file extensions; remove --format");
  if (!given.format.empty()) check_format(given.format);
  for (const std::string& path : given.outputs) check_format(format_of(given, path));
}

void write_all(const ComparisonRequest& given, const Compared& s) {
  for (const std::string& path : given.outputs)
    replace_file(path, in_format(s.comparison, format_of(given, path)));
  if (!given.gbench.empty()) {
    write_gbench(s.base.merged_lines(), s.base.names(), given.gbench + ".base.json");
    write_gbench(s.now.merged_lines(), s.now.names(), given.gbench + ".new.json");
  }
  const bool to_terminal = given.outputs.empty() && !given.format.empty();
  fmt::print("{}", in_format(s.comparison, to_terminal ? given.format : "table"));
}

int run_compare(ComparisonRequest& given) {
  take_defaults(given);
  check(given);  // before minutes are spent on measuring
  given.builds.settings.thresholds = thresholds_from(given.thresholds);
  const Compared sides = given.inputs.size() == 2 ? compare_files(given) : compare_two_builds(given);
  write_all(given, sides);
  return sides.interrupted ? exit_interrupted : exit_status(sides.comparison);
}

}  // namespace

int compare_or_complain(ComparisonRequest given) {
  try {
    return run_compare(given);
  } catch (const std::exception& e) {
    fmt::print(stderr, "cfdmark: {}\n", printable_lines(message_of(e)));
    return compare_usage;
  }
}

}  // namespace cfdmark::compare
