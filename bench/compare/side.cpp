#include "bench/compare/side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "bench/compare/record_facts.hpp"
#include "bench/compare/sound_samples.hpp"
#include "bench/record/records.hpp"

namespace cfdmark::compare {
namespace {

constexpr std::size_t most_named = 5;

using LaunchTimes = std::map<int, Samples>;

LaunchTimes times_of(const SideCase& c, std::vector<std::string>& warnings) {
  LaunchTimes times;
  std::size_t launches = 0;
  std::string first;
  for (const auto& [launch, record] : c.records) {
    SoundSamples sound = sound_samples(record);
    if (!sound.left_out.empty() && launches++ == 0) first = sound.left_out;
    if (!sound.kept.empty()) times[launch] = std::move(sound.kept);
  }
  if (launches > 0)
    warnings.push_back(
        fmt::format("the clock jumped or the process was held up: {} and are left out{}", first,
                    launches == 1 ? "" : fmt::format("; the like in {} launches in all", launches)));
  return times;
}

Samples all_samples(const LaunchTimes& times) {
  Samples all;
  for (const auto& [launch, samples] : times) all.insert(all.end(), samples.begin(), samples.end());
  return all;
}

// Launches are paired only when they ran beside each other: then both sides count them.
bool are_launches(const LaunchTimes& times) { return times.size() > 1 || times.begin()->first > 0; }

}  // namespace

std::string SideCase::status() const {
  for (const auto& [launch, record] : records)
    if (const std::string status = text_fact(record, "/status"); status != "ok") return status;
  return "ok";
}

std::string SideCase::reason() const {
  for (const auto& [launch, record] : records)
    if (text_fact(record, "/status") != "ok") return text_fact(record, "/reason");
  return "";
}

std::string SideCase::label() const {
  const std::string label = text_fact(last(), "/label");
  return label.empty() ? text_fact(last(), "/case") : label;
}

Side Side::of_file(const std::string& path) {
  const RecordFile file = read_records(path);
  Side side(path);
  side.warnings_ = file.warnings;
  for (const Json& line : file.lines) side.add(line);
  if (side.cases_.empty())
    throw std::invalid_argument(fmt::format(
        "{} has no record{}: expected a file that `cfdmark run` wrote", path,
        file.warnings.empty() ? (file.lines.empty() ? ", it is empty" : "")
                              : fmt::format(", and {} lines of it cannot be read", file.warnings.size())));
  side.tell_repeated();
  side.keep_used_environments();
  return side;
}

void Side::add(const Json& line) {
  const std::string type = text_fact(line, "/type");
  if (type == "environment") environments_.push_back(line);
  if (type == "record") add_record(line);
}

void Side::add_record(const Json& record) {
  const std::string name = text_fact(record, "/case");
  if (name.empty() || text_fact(record, "/status").empty()) {
    warnings_.push_back(fmt::format("{}: a record without `case` or `status` is left out", name_));
    return;
  }
  if (!cases_.count(name)) names_.push_back(name);
  const int launch = int(number_fact(record, "/launch").value_or(0));
  auto& records = cases_[name].records;
  if (records.count(launch) && text_fact(records[launch], "/status") == "ok") repeated_.push_back(name);
  records[launch] = record;
}

// A case that crashed and was tried again is no surprise; two results of one case are.
void Side::tell_repeated() {
  if (repeated_.empty()) return;
  std::string list;
  for (std::size_t n = 0; n < std::min(repeated_.size(), most_named); ++n)
    list += (n ? ", " : "") + repeated_[n];
  if (repeated_.size() > most_named) list += ", ...";
  warnings_.push_back(fmt::format("{}: {} results are replaced by later ones of the same case ({})", name_,
                                  repeated_.size(), list));
}

void Side::keep_used_environments() {
  std::set<std::string> used;
  for (const auto& [name, c] : cases_)
    for (const auto& [launch, record] : c.records) used.insert(text_fact(record, "/environment"));
  std::erase_if(environments_, [&](const Json& e) { return !used.count(text_fact(e, "/id")); });
}

void Side::keep_only(const CaseFilter& filter) {
  std::erase_if(cases_, [&](const auto& entry) {
    return !filter.lets_through(entry.first) && !filter.lets_through(entry.second.label());
  });
  std::erase_if(names_, [&](const std::string& name) { return !cases_.count(name); });
  keep_used_environments();
}

std::vector<Json> Side::merged_lines() const {
  std::vector<Json> lines = environments_;
  for (const std::string& name : names_) {
    const SideCase& c = cases_.at(name);
    Json record = c.last();
    std::vector<std::string> ignored;
    if (fact(record, "/time")) {
      const LaunchTimes times = times_of(c, ignored);
      record["time"]["samples"] = all_samples(times);
    }
    lines.push_back(std::move(record));
  }
  return lines;
}

const SideCase* Side::find(const std::string& name) const {
  const auto found = cases_.find(name);
  return found == cases_.end() ? nullptr : &found->second;
}

CommonTimes common_times(const SideCase& base, const SideCase& now) {
  CommonTimes times;
  const LaunchTimes b = times_of(base, times.warnings), n = times_of(now, times.warnings);
  if (b.empty() || n.empty()) {
    const SideCase& silent = b.empty() ? base : now;
    times.why_not =
        fmt::format("{} has {}", b.empty() ? "the base" : "the new side",
                    fact(silent.last(), "/time") ? "no sample that can be believed" : "not been measured");
    return times;
  }
  if (are_launches(b) && are_launches(n))
    for (const auto& [launch, samples] : b)
      if (const auto other = n.find(launch); other != n.end()) {
        times.base.push_back(samples);
        times.now.push_back(other->second);
      }
  if (times.base.empty()) {
    times.base = {all_samples(b)};
    times.now = {all_samples(n)};
  }
  return times;
}

}  // namespace cfdmark::compare
