#include "bench/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/measure/roof.hpp"
#include "bench/measure/seconds_now.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/run/budget.hpp"
#include "bench/run/interruption.hpp"
#include "bench/run/run_plan.hpp"
#include "bench/run/supervisor.hpp"
#include "bench/run/worker.hpp"

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

std::string_view status_of(End end) {
  switch (end) {
    case End::hung: return "timeout";
    case End::died: return "crashed";
    default: return "error";
  }
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

  RunSummary go() {
    summary_.done_before = std::size_t(plan_.done);
    // An empty shard of a sweep is told too, or it would look like one that never ran.
    if (plan_.to_measure() + plan_.not_run.size() > 0 || empty_shard_) {
      write_environment();
      for (const Case& c : plan_.not_run) write(c, "not_run", c.not_run);
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

  Supervisor::Listener listener(const std::string& what) {
    Supervisor::Listener l;
    l.keep_going = [this, what](const Note&) {
      progress_.working(what);
      return going();
    };
    return l;
  }

  bool going() {
    summary_.interrupted = summary_.interrupted || interruption_.requested();
    return !summary_.interrupted && !budget_.far_over();
  }

  void write_environment() {
    Json description;
    Supervisor::Listener l = listener("asking the machine what it is");
    l.event = [&](const Json& event) { description = event.at("environment"); };
    const Answer answer = supervisor_.ask({{"request", "describe"}}, l);
    if (answer.end != End::done && answer.end != End::stopped)
      throw std::runtime_error(fmt::format("cannot measure here: {}", answer.reason));
    if (description.is_null()) description = describe_program_and_host();  // stopped before it could tell
    if (!options_.sweep.is_null()) description["sweep"] = options_.sweep;
    environment_ = environment_line(description, options_.measure_roofs ? roofs() : Json::array());
    writer_.append(environment_);
  }

  Json roofs() {
    std::vector<RoofKey> keys;
    for (const auto& group : plan_.groups)
      for (const Case& c : group)
        if (std::find(keys.begin(), keys.end(), roof_key(c)) == keys.end()) keys.push_back(roof_key(c));
    Json found = Json::array();
    for (const RoofKey& key : keys) {
      if (!going()) break;
      Supervisor::Listener l = listener(fmt::format("measuring the roof of {}", roof_name(key)));
      l.event = [&](const Json& event) {
        for (const Json& roof : event.at("roofs")) found.push_back(roof);
      };
      const Answer answer = supervisor_.ask({{"request", "roof"}, {"key", to_message(key)}}, l);
      if (answer.end != End::done)
        progress_.note(fmt::format("no roof of {}: {}", roof_name(key), answer.reason));
    }
    return found;
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
    std::vector<bool> recorded(asked.size(), false);
    const double start = seconds_now();
    sampled_ = 0;

    Supervisor::Listener l;
    l.event = [&](const Json& event) {
      const std::size_t index = event.at("index");
      recorded.at(index) = true;
      write(asked[index], event.at("record"));
    };
    l.keep_going = [&](const Note& note) {
      if (note.index >= 0 && note.index < int(asked.size()))
        progress_.working(
            fmt::format("{} {}", to_string(note.stage), short_name(asked[std::size_t(note.index)])));
      return going();
    };
    const Answer answer = supervisor_.ask(request(asked), l);
    blame(answer, asked, recorded);

    pending.clear();
    for (std::size_t n = 0; n < asked.size(); ++n)
      if (!recorded[n]) pending.push_back(asked[n]);
    budget_.spend(asked.size() - pending.size(), seconds_now() - start, sampled_);
  }

  Json request(const std::vector<Case>& cases) const {
    Json messages = Json::array();
    for (const Case& c : cases) messages.push_back(to_message(c));
    return {{"request", "run"},
            {"cases", messages},
            {"seconds", budget_.seconds_a_case()},
            {"interval", options_.interval},
            {"environment", environment_}};
  }

  // Gives the case at which the worker ended a record, if it has none, so that a run always gets further.
  void blame(const Answer& answer, const std::vector<Case>& cases, std::vector<bool>& recorded) {
    if (answer.end == End::stopped) return;
    if (answer.end == End::done) {
      for (std::size_t n = 0; n < cases.size(); ++n)
        if (!recorded[n]) write(cases[n], "error", "the worker gave it no record");
      recorded.assign(cases.size(), true);
      return;
    }
    const bool named = answer.note.index >= 0 && answer.note.index < int(cases.size());
    const std::size_t at = named ? std::size_t(answer.note.index) : 0;
    if (answer.end == End::device_lost) {
      count_loss(cases[at], answer.reason);
      if (recorded[at]) return;  // by the worker, which knew
    }
    const auto unrecorded = std::find(recorded.begin(), recorded.end(), false);
    if (unrecorded == recorded.end()) return;
    const std::size_t index = recorded[at] ? std::size_t(unrecorded - recorded.begin()) : at;
    recorded[index] = true;
    write(cases[index], status_of(answer.end), answer.reason);
  }

  void count_loss(const Case& c, const std::string& reason) {
    Losses& losses = losses_[c.row->backend];
    losses.reason = reason;
    if (++losses.in_a_row == options_.losses)
      progress_.note(fmt::format("the {} device was lost {} times in a row and is given up",
                                 to_string(c.row->backend), losses.in_a_row));
  }

  // Records the cases whose device has been lost too often.
  void give_up_lost(std::vector<Case>& pending) {
    std::erase_if(pending, [&](const Case& c) {
      const Losses& losses = losses_[c.row->backend];
      if (losses.in_a_row < options_.losses) return false;
      write(c, "not_run",
            fmt::format("the device was lost {} times in a row: {}", losses.in_a_row, losses.reason));
      return true;
    });
  }

  void write(const Case& c, std::string_view status, const std::string& reason) {
    Json record = record_of(c, std::string(status), reason);
    record["environment"] = environment_.at("id");
    write(c, record);
  }

  void write(const Case& c, const Json& record) {
    writer_.append(record);
    const std::string status = record.at("status");
    ++summary_.measured[status];
    if (status == "ok") {
      losses_[c.row->backend].in_a_row = 0;
      const Json& time = record.at("time");
      for (const double s : time.at("samples")) sampled_ += s * time.at("steps_per_sample").get<double>();
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
  RunPlan plan_;
  Budget budget_;
  Supervisor supervisor_;
  Json environment_;
  RunSummary summary_;
  std::map<BackendKind, Losses> losses_;
  double sampled_ = 0;  // seconds that the samples of this group took
};

}  // namespace

bool RunSummary::some_went_wrong() const {
  for (const auto& [status, count] : measured)
    if (status != "ok" && status != "not_run" && count > 0) return true;
  return false;
}

RunSummary run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress) {
  return Run(cases, options, progress).go();
}

}  // namespace cfdmark
