#include "bench/compare/side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>

#include "bench/compare/record_facts.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {
namespace {

constexpr std::size_t most_named = 5;
constexpr int known_schema = 2;

constexpr double most_times_median = 1000;  // and at least a thousandth of it

bool is_time(const Json& sample) {
  return sample.is_number() && std::isfinite(sample.get<double>()) && sample.get<double>() > 0;
}

constexpr std::size_t fewest_for_one = 5;  // samples, of which one may be dropped

struct SoundSamples {
  Samples kept;          // in order; empty if too many would be dropped
  std::string left_out;  // e.g. "3 of 20 samples are not positive numbers"; empty if none is dropped
};

// Removes samples that are a thousand times longer or shorter than their median; returns their number.
std::size_t take_out_far_off(Samples& samples) {
  if (samples.empty()) return 0;
  const double middle = median(samples);
  return std::erase_if(
      samples, [&](double s) { return s > most_times_median * middle || s < middle / most_times_median; });
}

// Returns the plausible samples of a record's `time`: positive, and within a factor of a thousand of their
// median. Preemption delays a sample by a factor of some tens, a clock adjustment by any amount. An
// adjustment spoils one sample, so if more than one in five are implausible, none is used.
SoundSamples sound_samples(const Json& record) {
  SoundSamples sound;
  const Json* samples = fact(record, "/time/samples");
  if (!samples || !samples->is_array()) return sound;
  for (const Json& sample : *samples)
    if (is_time(sample)) sound.kept.push_back(sample.get<double>());
  const std::size_t all = samples->size(), no_times = all - sound.kept.size();
  const std::size_t far_off = take_out_far_off(sound.kept);
  if (no_times > 0) sound.left_out = fmt::format("{} of {} samples are not positive numbers", no_times, all);
  if (far_off > 0)
    sound.left_out +=
        fmt::format("{}{} of {} samples are a thousand times longer or shorter than their median",
                    no_times > 0 ? ", " : "", far_off, all);
  if ((no_times + far_off) * fewest_for_one > all) sound.kept.clear();
  return sound;
}

using RoundTimes = std::map<int, Samples>;

// Returns the minimum of each turn of a process that alternated with others; empty if it did not, or if a
// sample was dropped. A disturbance adds time, and one longer than a turn affects all sides.
Samples least_of_turns(const Json& record, const SoundSamples& sound) {
  const std::size_t turn = std::size_t(number_fact(record, "/time/samples_in_turn").value_or(0));
  Samples least;
  if (turn == 0 || !sound.left_out.empty() || sound.kept.size() % turn != 0) return least;
  for (auto at = sound.kept.begin(); at != sound.kept.end(); at += std::ptrdiff_t(turn))
    least.push_back(*std::min_element(at, at + std::ptrdiff_t(turn)));
  return least;
}

// Returns the times by turns, if both sides have equally many in each round.
std::optional<CommonTimes> times_by_turns(const SideCase& base, const SideCase& now) {
  CommonTimes times;
  times.pairing = Pairing::samples;
  for (const auto& [round, record] : base.records) {
    const auto other = now.records.find(round);
    if (other == now.records.end()) continue;
    const Samples b = least_of_turns(record, sound_samples(record)),
                  n = least_of_turns(other->second, sound_samples(other->second));
    if (b.empty() || b.size() != n.size()) return std::nullopt;
    times.base.push_back(b), times.now.push_back(n);
  }
  if (times.base.empty()) return std::nullopt;
  return times;
}

RoundTimes times_of(const SideCase& c, std::vector<std::string>& warnings) {
  RoundTimes times;
  std::map<bool, std::vector<std::string>> left_out;  // by whether other samples remain
  for (const auto& [round, record] : c.records) {
    SoundSamples sound = sound_samples(record);
    if (!sound.left_out.empty()) left_out[!sound.kept.empty()].push_back(sound.left_out);
    if (!sound.kept.empty()) times[round] = std::move(sound.kept);
  }
  for (const auto& [others_kept, texts] : left_out)
    warnings.push_back(
        fmt::format("{}{}{}{}", others_kept ? "clock adjustment or preemption: " : "", texts.front(),
                    others_kept ? " and are ignored"
                                : ", too many for a clock adjustment: no sample of the process is used; are "
                                  "they from one benchmark?",
                    texts.size() > 1 ? fmt::format("; similar in {} processes in all", texts.size()) : ""));
  return times;
}

Samples all_samples(const RoundTimes& times) {
  Samples all;
  for (const auto& [round, samples] : times) all.insert(all.end(), samples.begin(), samples.end());
  return all;
}

// Returns the lines of other programs' files that a case was read from, over all its processes.
Json all_entries(const SideCase& c) {
  Json all = Json::array();
  for (const auto& [round, record] : c.records)
    if (const Json* entries = fact(record, "/entries"))
      all.insert(all.end(), entries->begin(), entries->end());
  return all;
}

// Returns true if a record extends an earlier one: it begins with the same samples, and may add a process or
// a roof.
bool goes_on(const Json& prior_looks, const Json& record) {
  const Json *before = fact(prior_looks, "/time/samples"), *now = fact(record, "/time/samples");
  return before && now && before->is_array() && now->is_array() && before->size() <= now->size() &&
         std::equal(before->begin(), before->end(), now->begin());
}

void count_as_process(Json& line, int number, const std::string& side) {
  if (text_fact(line, "/type") != "record") return;
  if (fact(line, "/round"))
    throw std::invalid_argument(fmt::format(
        "{}: a file that holds the rounds of a comparison cannot be combined with other files", side));
  line["round"] = number;
}

// Processes are paired only if both sides number their rounds, because only then did they alternate.
bool are_rounds(const RoundTimes& times) { return times.size() > 1 || times.begin()->first > 0; }

}  // namespace

std::string SideCase::status() const {
  for (const auto& [round, record] : records)
    if (const std::string status = text_fact(record, "/status"); status != "ok") return status;
  return "ok";
}

std::string SideCase::reason() const {
  for (const auto& [round, record] : records)
    if (text_fact(record, "/status") != "ok") return text_fact(record, "/reason");
  return "";
}

std::string SideCase::label() const {
  const std::string label = text_fact(last(), "/label");
  return label.empty() ? text_fact(last(), "/case") : label;
}

Side Side::of_files(const std::string& name, std::vector<RecordFile> files) {
  Side side(name);
  side.files_ = files.size();
  for (std::size_t n = 0; n < files.size(); ++n) {
    RecordFile& file = files[n];
    side.warnings_.insert(side.warnings_.end(), file.warnings.begin(), file.warnings.end());
    side.has_unknown_schema_ = side.has_unknown_schema_ || file.unknown_schema;
    for (Json& line : file.lines) {
      if (files.size() > 1) count_as_process(line, int(n) + 1, name);
      side.add(line);
    }
  }
  if (side.cases_.empty()) throw std::invalid_argument(fmt::format("{} has no record of a case", name));
  if (files.size() > 1) side.warn_of_missing();
  side.warn_of_repeated();
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
    warnings_.push_back(fmt::format("{}: ignored a record without `case` or `status`", name_));
    return;
  }
  has_unknown_schema_ = has_unknown_schema_ || number_fact(record, "/schema") != known_schema;
  if (!cases_.count(name)) names_.push_back(name);
  const int round = int(number_fact(record, "/round").value_or(0));
  auto& records = cases_[name].records;
  if (records.count(round) && text_fact(records[round], "/status") == "ok" &&
      !goes_on(records[round], record))
    repeated_.push_back(name);
  records[round] = record;
}

// Warns of repeated results of a case. A repeated attempt after a crash is not one.
void Side::warn_of_repeated() {
  if (repeated_.empty()) return;
  std::string list;
  for (std::size_t n = 0; n < std::min(repeated_.size(), most_named); ++n)
    list += (n ? ", " : "") + repeated_[n];
  if (repeated_.size() > most_named) list += ", ...";
  warnings_.push_back(fmt::format("{}: {} results are replaced by later ones of the same case ({})", name_,
                                  repeated_.size(), list));
}

// Warns of cases that some files lack: a truncated file or a stopped run.
void Side::warn_of_missing() {
  std::size_t count = 0;
  std::string first;
  for (const std::string& name : names_)
    if (const std::size_t in = cases_.at(name).records.size(); in < files_ && count++ == 0)
      first = fmt::format("{} is in {}", name, in);
  if (count > 0)
    warnings_.push_back(
        fmt::format("{}: {} cases are not in all of its {} files: {}", name_, count, files_, first));
}

void Side::keep_used_environments() {
  std::set<std::string> used;
  for (const auto& [name, c] : cases_)
    for (const auto& [round, record] : c.records) used.insert(text_fact(record, "/environment"));
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
      const RoundTimes times = times_of(c, ignored);
      record["time"]["samples"] = all_samples(times);
    }
    if (fact(record, "/entries")) record["entries"] = all_entries(c);
    lines.push_back(std::move(record));
  }
  return lines;
}

const SideCase* Side::find(const std::string& name) const {
  const auto found = cases_.find(name);
  return found == cases_.end() ? nullptr : &found->second;
}

Processes processes_of_run(const Json& record) {
  return sound_samples(record).left_out.empty() ? process_samples(record).value_or(Processes()) : Processes();
}

CommonTimes common_times(const SideCase& base, const SideCase& now) {
  if (std::optional<CommonTimes> by_turns = times_by_turns(base, now)) return *std::move(by_turns);
  CommonTimes times;
  const RoundTimes b = times_of(base, times.warnings), n = times_of(now, times.warnings);
  if (b.empty() || n.empty()) {
    const SideCase& silent = b.empty() ? base : now;
    times.why_not = fmt::format("{} has {}", b.empty() ? "the base" : "the new side",
                                fact(silent.last(), "/time") ? "no plausible sample" : "not been measured");
    return times;
  }
  if (are_rounds(b) && are_rounds(n))
    for (const auto& [round, samples] : b)
      if (const auto other = n.find(round); other != n.end()) {
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
