#include "bench/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bench/measure/roofs.hpp"
#include "bench/measure/seconds_now.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/run/ask_worker.hpp"
#include "bench/run/budget.hpp"
#include "bench/run/interruption.hpp"
#include "bench/run/run_plan.hpp"
#include "bench/run/supervisor.hpp"

namespace cfdmark {
namespace {

using End = Answer::End;

// The file to write; what it holds has been put aside if asked.
const std::string& output_file(const RunOptions& options) {
  std::error_code error;
  const std::string& path = options.output;
  if (options.fresh && std::filesystem::is_regular_file(path))
    std::filesystem::rename(path, path + ".bak", error);
  if (error) throw WriteError(fmt::format("cannot rename {} to {}.bak: {}", path, path, error.message()));
  return path;
}

class Run {
 public:
  Run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        empty_shard_(cases.empty() && !options.sweep.is_null()),
        writer_(output_file(options)),
        plan_(make_plan(cases, earlier_records())),
        budget_(options.case_seconds, options.budget, plan_.to_measure()),
        supervisor_(options.worker, options.timeout) {}

  RunSummary run() {
    summary_.done_before = std::size_t(plan_.done);
    // An empty shard of a sweep is recorded too, or it would look like one that never ran.
    if (plan_.to_measure() + plan_.not_run.size() > 0 || empty_shard_) {
      write_environment();
      for (const Case& c : plan_.not_run) write(c, ended(c, "not_run", c.not_run));
      measure_groups();
    }
    writer_.sync();
    progress_.clear();
    return summary_;
  }

 private:
  EarlierRecords earlier_records() {
    if (!std::filesystem::is_regular_file(options_.output)) return {};
    const RecordFile file = read_records(options_.output);
    for (const std::string& warning : file.warnings) progress_.note(warning);
    EarlierRecords earlier(file.lines, describe_program_and_host());
    if (earlier.elsewhere() > 0)
      progress_.note(
          fmt::format("{}: {} cases were recorded by another build or machine and are measured again",
                      options_.output, earlier.elsewhere()));
    return earlier;
  }

  bool going() {
    summary_.interrupted = summary_.interrupted || interruption_.requested();
    return !summary_.interrupted && !budget_.far_over();
  }

  void write_environment() {
    description_ = describe_program_and_host();  // if it is stopped before it could tell more
    const Answer answer = ask_for_description(supervisor_, description_, keep_going_);
    if (answer.end != End::done && answer.end != End::stopped)
      throw std::runtime_error(fmt::format("cannot measure here: {}", answer.reason));
    if (!options_.sweep.is_null()) description_["sweep"] = options_.sweep;
    if (options_.measure_roofs) measure_roofs();
    append_environment();
  }

  void append_environment() {
    environment_ = environment_line(description_, roofs_.entries());
    writer_.append(environment_);
  }

  void measure_roofs() {
    std::vector<RoofKey> keys;
    for (const auto& group : plan_.groups)
      for (const Case& c : group)
        if (std::find(keys.begin(), keys.end(), roof_key(c)) == keys.end()) keys.push_back(roof_key(c));
    for (const RoofKey& key : keys) measure_roof_of(key);
    for (const RoofKey& key : keys)
      if (!roofs_.contradiction(key).empty()) measure_roof_of(key);
    roofs_.judge();
  }

  void measure_roof_of(const RoofKey& key) {
    roofs_.add(
        ask_for_roof(supervisor_, key, keep_going_, [this](const std::string& why) { progress_.note(why); }));
  }

  void measure_groups() {
    progress_.start(plan_.to_measure());
    for (const auto& group : plan_.groups)
      if (going() && !budget_.over())
        measure_group(group);
      else
        summary_.left += group.size();
  }

  // In one process after the other: the first tells everything, the others add what they took.
  void measure_group(const std::vector<Case>& cases) {
    const double start = seconds_now();
    std::vector<Json> records(cases.size());
    measure_in_a_process(cases, records, false);
    for (int n = 1; n < options_.processes; ++n) {
      if (!going() || !budget_.leaves_enough(cases.size(), (seconds_now() - start) / n)) break;
      supervisor_.end_worker();
      measure_in_a_process(cases, records, true);
    }
    hold_against_roofs(cases, records);

    double sampled = 0;
    std::size_t ended = 0;
    for (std::size_t n = 0; n < cases.size(); ++n) {
      if (records[n].is_null()) continue;
      ++ended;
      if (records[n].at("status") == "ok") sampled += sampled_seconds(records[n]);
      write(cases[n], records[n]);
    }
    summary_.left += cases.size() - ended;
    budget_.spend(ended, seconds_now() - start, sampled);
  }

  // Those that have no record yet, or again those that are sound so far: all, or as far as it gets.
  void measure_in_a_process(const std::vector<Case>& cases, std::vector<Json>& records, bool again) {
    std::vector<std::size_t> pending;
    for (std::size_t n = 0; n < cases.size(); ++n)
      if (records[n].is_null() != again && (!again || records[n].at("status") == "ok")) pending.push_back(n);
    while (going() && !budget_.over()) {
      std::erase_if(pending, [&](std::size_t n) { return is_given_up(cases[n], records[n]); });
      if (pending.empty()) return;
      ask_for_pending(cases, records, pending, again);
    }
  }

  // Takes out of `pending` what has an answer afterwards.
  void ask_for_pending(const std::vector<Case>& cases, std::vector<Json>& records,
                       std::vector<std::size_t>& pending, bool again) {
    std::vector<Case> asked;
    for (const std::size_t n : pending) asked.push_back(cases[n]);
    std::vector<bool> answered(asked.size(), false);
    CaseListener listener;
    listener.record = [&](std::size_t k, const Json& record) {
      answered[k] = true;
      take(cases[pending[k]], record, records[pending[k]]);
    };
    listener.keep_going = keep_going_;
    const Answer answer = ask_for_cases(supervisor_,
                                        {{"request", "run"},
                                         {"seconds", budget_.seconds_a_case() / options_.processes},
                                         {"interval", options_.interval},
                                         {"again", again},
                                         {"environment", environment_}},
                                        asked, listener);
    if (answer.end == End::device_lost) count_loss(asked[answer.culprit], answer.reason);
    std::size_t k = 0;
    std::erase_if(pending, [&](std::size_t) { return answered[k++]; });
  }

  // What a process says of a case is added to what is known. A process in which there was no room for the
  // case says nothing; one in which it went wrong says that it is wrong.
  void take(const Case& c, const Json& record, Json& known) {
    const std::string status = record.at("status");
    if (status == "ok") losses_[device_of(c)].in_a_row = 0;
    if (known.is_null())
      known = record;
    else if (status == "ok")
      add_process(known, record);
    else if (status != "not_run")
      known = record;
  }

  // A rate that its roof does not allow speaks against the roof: it is measured again, and given up if the
  // rate stays above it.
  void hold_against_roofs(const std::vector<Case>& cases, std::vector<Json>& records) {
    bool changed = false;
    for (std::size_t n = 0; n < cases.size(); ++n) {
      const RoofKey key = roof_key(cases[n]);
      if (why_above_roof(records[n]).empty() || roofs_.is_unsound(key)) continue;
      if (again_.insert(roof_name(key)).second) measure_roof_of(key);
      give_roof(records[n], roofs_.find(key));
      if (const std::string why = why_above_roof(records[n]); !why.empty()) roofs_.give_up(key, why);
      changed = true;
    }
    if (!changed) return;
    append_environment();
    for (std::size_t n = 0; n < cases.size(); ++n) {
      if (records[n].is_null()) continue;
      records[n]["environment"] = environment_.at("id");
      give_roof(records[n], roofs_.find(roof_key(cases[n])));
    }
  }

  void count_loss(const Case& c, const std::string& reason) {
    Losses& losses = losses_[device_of(c)];
    losses.reason = reason;
    if (++losses.in_a_row == options_.losses)
      progress_.note(fmt::format("the {} device was lost {} times in a row and is given up",
                                 to_string(device_of(c)), losses.in_a_row));
  }

  // Whether the device of the case has been lost too often; its record then says so, if there is none yet.
  bool is_given_up(const Case& c, Json& record) {
    const Losses& losses = losses_[device_of(c)];
    if (losses.in_a_row < options_.losses) return false;
    if (record.is_null())
      record =
          ended(c, "not_run",
                fmt::format("the device was lost {} times in a row: {}", losses.in_a_row, losses.reason));
    return true;
  }

  Json ended(const Case& c, const std::string& status, const std::string& reason) const {
    Json record = record_of(c, status, reason);
    record["environment"] = environment_.at("id");
    return record;
  }

  void write(const Case& c, const Json& record) {
    writer_.append(record);
    ++summary_.measured[record.at("status").get<std::string>()];
    if (c.not_run.empty()) progress_.finished(record);
  }

  struct Losses {
    int in_a_row = 0;
    std::string reason;
  };

  const RunOptions& options_;
  Progress& progress_;
  bool empty_shard_;
  Interruption interruption_;
  RecordWriter writer_;
  RunPlan plan_;
  Budget budget_;
  Supervisor supervisor_;
  Json description_, environment_;
  Roofs roofs_;
  std::set<std::string> again_;  // names of the roofs that were measured again for a rate above them
  RunSummary summary_;
  const KeepGoing keep_going_ = [this](const std::string& what) {
    progress_.working(what);
    return going();
  };
  std::map<DeviceId, Losses> losses_;
};

}  // namespace

bool RunSummary::some_went_wrong() const {
  for (const auto& [status, count] : measured)
    if (status != "ok" && status != "not_run" && count > 0) return true;
  return false;
}

RunSummary run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress) {
  return Run(cases, options, progress).run();
}

}  // namespace cfdmark
