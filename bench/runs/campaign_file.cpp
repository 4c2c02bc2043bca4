#include "bench/runs/campaign_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "bench/sweep/file.hpp"
#include "bench/text/words.hpp"
#include "bench/worker/data_files.hpp"

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

constexpr const char* a_part = "a part such as {sweeps: sweeps/quick.yaml, filter: /cuda/} or {tune: --all}";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

// Returns the sweep, or all sweeps of a folder in the order of their names.
std::vector<std::string> sweeps_at(const SweepFile& file, const YAML::Node& node) {
  const std::string path =
      sweep_path(file.word(node, "a sweep such as sweeps/quick.yaml, or a folder of sweeps"));
  if (fs::is_regular_file(path)) return {path};
  std::vector<std::string> sweeps;
  if (fs::is_directory(path))
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().extension() == ".yaml") sweeps.push_back(entry.path().string());
  if (sweeps.empty())
    file.fail(node.Mark(), fmt::format("unknown sweep '{}'; expected a sweep file or a folder that has some",
                                       node.Scalar()));
  std::sort(sweeps.begin(), sweeps.end());
  return sweeps;
}

// Records of published experiments have a folder of their own, as `reproduce` expects them.
std::string records_name(const fs::path& sweep) {
  const std::string stem = sweep.stem().string();
  return sweep.parent_path().filename() == "reproduce" ? "reproduce/" + stem : stem;
}

std::vector<CampaignPart> read_part(const SweepFile& file, const YAML::Node& node) {
  const std::vector<std::string> keys = {"sweeps",  "filter", "case_seconds", "processes",
                                         "samples", "tune",   "share"};
  CampaignPart part;
  std::vector<std::string> sweeps;
  for (const Entry& entry : file.entries(node, a_part)) {
    if (entry.key == "sweeps")
      for (const YAML::Node& sweep : file.items(entry, "at least one sweep"))
        for (std::string& path : sweeps_at(file, sweep)) sweeps.push_back(std::move(path));
    else if (entry.key == "filter")
      part.filter = file.word(entry.value, "a regular expression for names of cases");
    else if (entry.key == "case_seconds")
      part.case_seconds =
          file.positive(entry.value, "the sampling time of a case in seconds, a number above 0");
    else if (entry.key == "processes")
      part.processes = file.integer(entry.value, 1, "a number of processes, from 1");
    else if (entry.key == "samples")
      part.samples = file.integer(entry.value, 1, "the least number of samples a process, from 1");
    else if (entry.key == "tune")
      part.tune = words_of(file.word(entry.value, "options of cfdmark tune, such as --all"));
    else if (entry.key == "share")
      part.share = file.positive(entry.value, "the part of a sitting that tuning takes, such as 0.25");
    else
      file.fail(entry.mark, fmt::format("unknown key '{}'; expected {}{}", entry.key, one_of(keys),
                                        did_you_mean(entry.key, keys)));
  }
  if (sweeps.empty() == part.tune.empty())
    file.fail(node.Mark(), fmt::format("a part has either 'sweeps' or 'tune'; expected {}", a_part));
  if (!part.tune.empty()) {
    part.name = fmt::format("tune {}", fmt::join(part.tune, " "));
    return {part};
  }
  std::vector<CampaignPart> parts;
  for (const std::string& sweep : sweeps) {
    part.sweep = sweep, part.name = records_name(sweep);
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::vector<CampaignPart> read_campaign(const std::string& path) {
  const SweepFile file(path);
  std::vector<CampaignPart> parts;
  for (const Entry& entry : file.entries(file.root(), "a map with 'parts'")) {
    if (entry.key != "parts")
      file.fail(entry.mark, fmt::format("unknown key '{}'; expected parts", entry.key));
    for (const YAML::Node& node : file.items(entry, a_part))
      for (CampaignPart& part : read_part(file, node)) parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace cfdmark
