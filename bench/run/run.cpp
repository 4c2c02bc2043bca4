#include "bench/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/measure/seconds_now.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/machine.hpp"
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
        supervisor_(options.worker, options.timeout),
        earlier_(earlier_records()),
        plan_(make_plan(cases, earlier_)),
        budget_(options.case_seconds, options.budget, plan_.to_measure()) {
    for (const Case& c : cases) newest_status_[case_name(c)] = earlier_.newest_status(c);
  }

  RunSummary run() {
    summary_.done_before = std::size_t(plan_.done);
    // An empty shard of a sweep is recorded too, or it would look like one that never ran.
    if (plan_.to_measure() + plan_.not_run.size() > 0 || empty_shard_) {
      write_environment();
      for (const Case& c : plan_.not_run) write_ended(c, "not_run", c.not_run);
      measure_groups();
    }
    writer_.sync();
    progress_.clear();
    for (const auto& [name, status] : newest_status_)
      summary_.wrong += !status.empty() && status != "ok" && status != "not_run";
    return summary_;
  }

 private:
  EarlierRecords earlier_records() {
    if (!std::filesystem::is_regular_file(options_.output)) return {};
    const RecordFile file = read_records(options_.output);
    for (const std::string& warning : file.warnings) progress_.note(warning);
    // Which GPU is here only a worker can tell.
    const bool gpus_matter =
        std::any_of(file.lines.begin(), file.lines.end(), [](const Json& line) { return gpu_of(line, 0); });
    EarlierRecords earlier(file.lines, gpus_matter ? description() : describe_program_and_host());
    if (earlier.elsewhere() > 0)
      progress_.note(
          fmt::format("{}: {} cases were recorded by another program or machine and are measured again",
                      options_.output, earlier.elsewhere()));
    return earlier;
  }

  bool going() {
    summary_.interrupted = summary_.interrupted || interruption_.requested();
    return !summary_.interrupted && !budget_.far_over();
  }

  // Of the program and the whole machine; a worker is asked once.
  const Json& description() {
    if (!description_.is_null()) return description_;
    description_ = describe_program_and_host();  // if it is stopped before it could tell more
    const Answer answer = ask_for_description(supervisor_, description_, [this](const std::string& what) {
      progress_.working(what);
      return !interruption_.requested();
    });
    if (answer.end != End::done && answer.end != End::stopped)
      throw std::runtime_error(fmt::format("cannot measure here: {}", answer.reason));
    return description_;
  }

  void write_environment() {
    Json description = this->description();
    if (!options_.sweep.is_null()) description["sweep"] = options_.sweep;
    environment_ = environment_line(description, options_.measure_roofs ? roofs() : Json::array());
    writer_.append(environment_);
  }

  Json roofs() {
    std::vector<RoofKey> keys;
    for (const auto& group : plan_.groups)
      for (const Case& c : group)
        if (std::find(keys.begin(), keys.end(), roof_key(c)) == keys.end()) keys.push_back(roof_key(c));
    return ask_for_roofs(supervisor_, keys, keep_going_,
                         [this](const std::string& why) { progress_.note(why); });
  }

  void measure_groups() {
    progress_.start(plan_.to_measure());
    for (const auto& group : plan_.groups) {
      std::vector<Case> pending = group;
      while (!pending.empty() && going() && !budget_.over()) measure_group(pending);
      summary_.left += pending.size();
    }
  }

  // Takes out of `pending` what has a record afterwards: all, or as far as it got.
  void measure_group(std::vector<Case>& pending) {
    give_up_lost(pending);
    if (pending.empty()) return;
    const std::vector<Case> asked = pending;
    const double start = seconds_now();
    sampled_ = 0;

    std::vector<bool> recorded(asked.size(), false);
    CaseListener l;
    l.record = [&](std::size_t n, const Json& record, const std::string& line) {
      recorded[n] = true;
      write(asked[n], record, line);
    };
    l.keep_going = keep_going_;
    const Answer answer = ask_for_cases(supervisor_,
                                        {{"request", "run"},
                                         {"seconds", budget_.seconds_a_case()},
                                         {"interval", options_.interval},
                                         {"environment", environment_}},
                                        asked, l);
    if (answer.end == End::device_lost) count_loss(asked[answer.culprit], answer.reason);

    pending.clear();
    for (std::size_t n = 0; n < asked.size(); ++n)
      if (!recorded[n]) pending.push_back(asked[n]);
    budget_.spend(asked.size() - pending.size(), seconds_now() - start, sampled_);
  }

  void count_loss(const Case& c, const std::string& reason) {
    Losses& losses = losses_[device_of(c)];
    losses.reason = reason;
    if (++losses.in_a_row == options_.losses)
      progress_.note(fmt::format("the {} device was lost {} times in a row and is given up",
                                 to_string(device_of(c)), losses.in_a_row));
  }

  // Records the cases whose device has been lost too often.
  void give_up_lost(std::vector<Case>& pending) {
    std::erase_if(pending, [&](const Case& c) {
      const Losses& losses = losses_[device_of(c)];
      if (losses.in_a_row < options_.losses) return false;
      write_ended(c, "not_run",
                  fmt::format("the device was lost {} times in a row: {}", losses.in_a_row, losses.reason));
      return true;
    });
  }

  void write_ended(const Case& c, const std::string& status, const std::string& reason) {
    Json record = record_of(c, status, reason);
    record["environment"] = environment_.at("id");
    write(c, record, one_line(record));
  }

  // Only looks at the record: what is written is the line.
  void write(const Case& c, const Json& record, const std::string& line) {
    writer_.append_line(line);
    const std::string status = record.at("status");
    ++summary_.measured[status];
    newest_status_[record.at("case")] = status;
    if (status == "ok") {
      losses_[device_of(c)].in_a_row = 0;
      sampled_ += sampled_seconds(record);
    }
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
  Supervisor supervisor_;
  Json description_;
  EarlierRecords earlier_;
  RunPlan plan_;
  Budget budget_;
  std::map<std::string, std::string> newest_status_;  // of the cases asked, by name
  Json environment_;
  RunSummary summary_;
  const KeepGoing keep_going_ = [this](const std::string& what) {
    progress_.working(what);
    return going();
  };
  std::map<DeviceId, Losses> losses_;
  double sampled_ = 0;  // seconds that the samples of this group took
};

}  // namespace

RunSummary run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress) {
  return Run(cases, options, progress).run();
}

}  // namespace cfdmark
