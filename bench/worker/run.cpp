#include "bench/worker/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bench/case/case_record.hpp"
#include "bench/device_facts/device_state.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/machine.hpp"
#include "bench/device_facts/machine_load.hpp"
#include "bench/measure/ceilings.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/worker/ask_worker.hpp"
#include "bench/worker/budget.hpp"
#include "bench/worker/interruption.hpp"
#include "bench/worker/run_plan.hpp"
#include "bench/worker/supervisor.hpp"

namespace cfdmark {
namespace {

using End = Answer::End;

class Run {
 public:
  Run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        empty_shard_(cases.empty() && !options.sweep.is_null()),
        writer_(options.output),
        backup_(options.fresh ? writer_.start_over() : ""),
        supervisor_(options.worker, options.timeout),
        start_(seconds_now()),
        cases_(cases),
        earlier_(earlier_records()),
        plan_(make_plan(cases, earlier_)),
        budget_(budget_of_process(1, plan_.to_measure())) {
    for (const Case& c : cases) {
      newest_status_[case_name(c)] = earlier_.newest_status(c);
      if (const Json* record = earlier_.find(c)) known_[case_name(c)] = *record;
    }
  }

  RunSummary run() {
    summary_.done_before = std::size_t(plan_.done);
    if (!backup_.empty())
      progress_.note(
          fmt::format("{} starts from scratch; its earlier records are in {}", options_.output, backup_));
    // An empty shard is recorded too; otherwise it would look like one that was not measured.
    if (plan_.to_measure() + plan_.not_run.size() + cases_with_fewer(options_.processes).size() > 0 ||
        empty_shard_) {
      write_environment();
      for (const Case& c : plan_.not_run) write(c, ended(c, "not_run", c.not_run));
      measure(plan_.groups);
      for (int process = 2; process <= options_.processes && going() && !budget_.over(); ++process)
        measure_again(process);
    }
    writer_.sync();
    progress_.clear();
    summary_.in_fewer_processes = cases_with_fewer(options_.processes).size();
    for (const auto& [name, status] : newest_status_)
      summary_.wrong += !status.empty() && status != "ok" && status != "not_run";
    for (const auto& [name, status] : written_) {
      ++summary_.measured[status];
      summary_.unconverged += !known_.at(name).value("/solver/converged"_json_pointer, true);
    }
    summary_.roofs = ceilings_.entries();
    summary_.limits = limits_;
    summary_.seconds = seconds_now() - start_;
    summary_.workers = supervisor_.time();
    return summary_;
  }

 private:
  EarlierRecords earlier_records() {
    if (!std::filesystem::is_regular_file(options_.output)) return {};
    const RecordFile file = read_records(options_.output);
    for (const std::string& warning : file.warnings) progress_.note(warning);
    if (file.lines.empty()) return {};
    EarlierRecords earlier(file.lines, description());  // only a worker knows the GPUs and the threads
    if (earlier.elsewhere() > 0)
      progress_.note(fmt::format(
          "{}: {} cases are measured again: their records are of another program, another machine or "
          "another number of threads",
          options_.output, earlier.elsewhere()));
    return earlier;
  }

  bool going() {
    summary_.interrupted = summary_.interrupted || interruption_.requested();
    return !summary_.interrupted && !budget_.far_over();
  }

  // Returns the description of program and machine, requested from a worker once.
  const Json& description() {
    if (!description_.is_null()) return description_;
    description_ = describe_program_and_host();  // used if the request is interrupted
    const Answer answer = ask_for_description(supervisor_, description_, [this](const std::string& what) {
      progress_.working(what);
      return !interruption_.requested();
    });
    if (answer.end != End::done && answer.end != End::stopped)
      throw std::runtime_error(fmt::format("cannot measure here: {}", answer.reason));
    return description_;
  }

  // Must be called before this run causes load itself.
  void look_at_load() {
    look_at_gpus();
    for (const std::string& warning : environment_warnings(description())) progress_.note(warning);
    const auto load = machine_load();
    if (!load) return;
    load_ = to_json(*load, cores());
    if (load->is_busy(cores())) progress_.note(busy_text(*load, cores()));
  }

  void look_at_gpus() {
    const auto note = [this](const Json& gpu, int index) {
      const std::string text = device_busy_text(gpu.value("load", Json()));
      if (!text.empty()) progress_.note(fmt::format("cuda:{}: {}", index, text));
    };
    const Json gpus = description().value("gpus", Json::array());
    for (const Json& gpu : gpus) note(gpu, gpu.at("index"));
    if (gpus.empty()) note(description().value("gpu", Json::object()), 0);
  }

  void write_environment() {
    look_at_load();
    const double start = seconds_now();
    if (options_.measure_roofs) measure_roofs();
    summary_.ceilings_seconds = seconds_now() - start;
    append_environment();
  }

  void append_environment() {
    Json description = this->description();
    if (!options_.sweep.is_null()) description["sweep"] = options_.sweep;
    if (!load_.is_null()) description["load"] = load_;
    if (!limits_.empty()) description["limits"] = limits_;
    environment_ = environment_line(description, ceilings_.entries());
    writer_.append(environment_);
  }

  static std::vector<RoofKey> roof_keys(const std::vector<Case>& cases) {
    std::vector<RoofKey> keys;
    for (const Case& c : cases)
      if (std::find(keys.begin(), keys.end(), roof_key(c)) == keys.end()) keys.push_back(roof_key(c));
    return keys;
  }

  // Memory bandwidth of a host drifts during a run, so its roofs are measured again before a further process.
  void measure_roofs_of_hosts_again(const std::vector<Case>& cases) {
    std::vector<RoofKey> keys = roof_keys(cases);
    std::erase_if(keys, [](const RoofKey& key) { return key.device.kind == BackendKind::cuda; });
    if (ceilings_.measure_again(keys)) append_environment();
  }

  void measure_roofs() {
    std::vector<Case> cases = cases_with_fewer(options_.processes);
    for (const auto& group : plan_.groups) cases.insert(cases.end(), group.begin(), group.end());
    const std::vector<RoofKey> keys = roof_keys(cases);
    ceilings_.measure(keys);
    for (const LimitsKey& wanted : limits_keys(cases)) measure_limits(without_known(wanted, limits_));
  }

  void measure_limits(const LimitsKey& key) {
    if (!key.arithmetic && !key.memory) return;
    for (Json& entry : ask_for_limits(supervisor_, key, keep_going_,
                                      [this](const std::string& why) { progress_.note(why); }))
      limits_.push_back(std::move(entry));
  }

  // Each process gets an equal share of the remaining time, after what it needs besides samples.
  Budget budget_of_process(int process, std::size_t cases) const {
    std::optional<double> left;
    if (options_.budget) left = *options_.budget - (seconds_now() - start_);
    return Budget(options_.case_seconds / options_.processes, left, cases,
                  1.0 / (options_.processes - process + 1));
  }

  // Returns the cases that are ok and were measured in fewer processes.
  std::vector<Case> cases_with_fewer(int processes) const {
    std::vector<Case> found;
    for (const Case& c : cases_) {
      const auto known = known_.find(case_name(c));
      if (c.not_run.empty() && known != known_.end() && known->second.at("status") == "ok" &&
          int(process_samples(known->second).value().size()) < processes)
        found.push_back(c);
    }
    return found;
  }

  void measure_again(int process) {
    const std::vector<Case> cases = cases_with_fewer(process);
    if (cases.empty()) return;
    again_ = true;
    supervisor_.end_worker();
    budget_ = budget_of_process(process, cases.size());
    progress_.note(fmt::format("process {} of {}: measures each case again, for the spread between processes",
                               process, options_.processes));
    if (options_.measure_roofs && !options_.budget) measure_roofs_of_hosts_again(cases);
    measure(groups_to_measure(cases));
  }

  void measure(const std::vector<std::vector<Case>>& groups) {
    std::size_t count = 0;
    for (const auto& group : groups) count += group.size();
    progress_.start(count);
    for (const auto& group : groups) {
      std::vector<Case> pending = group;
      while (!pending.empty() && going() && !budget_.over()) measure_group(pending);
      if (!again_) summary_.left += pending.size();
    }
  }

  // Removes the answered cases from `pending`: all, or as many as were measured.
  void measure_group(std::vector<Case>& pending) {
    give_up_lost(pending);
    if (pending.empty()) return;
    const std::vector<Case> asked = pending;
    const double start = seconds_now();
    double sampled = 0;
    std::vector<bool> answered(asked.size(), false);
    CaseListener listener;
    listener.record = [&](std::size_t n, const Json& record) {
      answered[n] = true;
      if (record.at("status") == "ok") sampled += sampled_seconds(record);
      take(asked[n], record);
    };
    listener.keep_going = keep_going_;
    const Answer answer = ask_for_cases(supervisor_,
                                        {{"request", "run"},
                                         {"seconds", budget_.seconds_a_case()},
                                         {"interval", options_.interval},
                                         {"again", again_},
                                         {"environment", environment_}},
                                        asked, listener);
    if (answer.end == End::device_lost) count_loss(asked[answer.culprit], answer.reason);
    hold_against_roofs(asked);

    pending.clear();
    for (std::size_t n = 0; n < asked.size(); ++n)
      if (!answered[n]) pending.push_back(asked[n]);
    budget_.spend(asked.size() - pending.size(), seconds_now() - start, sampled);
  }

  // Adds the result of a further process to the known record. A process in which the case did not fit changes
  // nothing; one in which it failed makes the case failed.
  void take(const Case& c, const Json& record) {
    const std::string status = record.at("status");
    if (status == "ok") losses_[device_of(c)].in_a_row = 0;
    note_company(c, record);
    const auto known = known_.find(case_name(c));
    if (known == known_.end() || known->second.at("status") != "ok") return write(c, record);
    if (status == "not_run")
      return progress_.note(fmt::format("{}: {}", short_name(c), record.at("reason").get<std::string>()));
    if (status != "ok") return write(c, record);
    Json joined = known->second;
    add_process(joined, record);
    fail_if_work_differs(joined);
    joined["environment"] = environment_.at("id");
    if (const Json roof = ceilings_.find(roof_key(c)); !roof.is_null()) give_roof(joined, roof);
    write(c, joined);
  }

  // Notes once that other processes appeared on the device after this run started.
  void note_company(const Case& c, const Json& record) {
    const int others = record.value("/device_state/other_processes"_json_pointer, 0);
    if (others == 0 || company_noted_) return;
    company_noted_ = true;
    progress_.note(fmt::format("{}: {} other process{} on the device while it was measured; records say so",
                               short_name(c), others, others > 1 ? "es were" : " was"));
  }

  // If a rate contradicted a roof, writes the affected records again with the present roof.
  void hold_against_roofs(const std::vector<Case>& cases) {
    std::set<std::string> changed;
    for (const Case& c : cases)
      if (const auto known = known_.find(case_name(c));
          known != known_.end() && ceilings_.doubt(roof_key(c), known->second))
        changed.insert(roof_name(roof_key(c)));
    if (changed.empty()) return;
    append_environment();
    for (const Case& c : cases) {
      const auto known = known_.find(case_name(c));
      if (known == known_.end() || !changed.contains(roof_name(roof_key(c)))) continue;
      Json record = known->second;
      record["environment"] = environment_.at("id");
      give_roof(record, ceilings_.find(roof_key(c)));
      keep(c, record);
    }
  }

  void count_loss(const Case& c, const std::string& reason) {
    Losses& losses = losses_[device_of(c)];
    losses.reason = reason;
    if (++losses.in_a_row == options_.losses)
      progress_.note(fmt::format("the {} device was lost {} times in a row; its remaining cases are skipped",
                                 to_string(device_of(c)), losses.in_a_row));
  }

  // Records cases whose device was lost too often, unless they have been measured.
  void give_up_lost(std::vector<Case>& pending) {
    std::erase_if(pending, [&](const Case& c) {
      const Losses& losses = losses_[device_of(c)];
      if (losses.in_a_row < options_.losses) return false;
      if (!again_)
        write(c, ended(c, "not_run",
                       fmt::format("the device was lost {} times in a row: {}", losses.in_a_row,
                                   losses.reason)));
      return true;
    });
  }

  Json ended(const Case& c, const std::string& status, const std::string& reason) const {
    Json record = record_of(c, status, reason);
    record["environment"] = environment_.at("id");
    return record;
  }

  void write(const Case& c, const Json& record) {
    keep(c, record);
    if (c.not_run.empty()) progress_.finished(record);
  }

  void keep(const Case& c, Json record) {
    if (c.over_plain > 0) record["target"] = {{"over_plain", c.over_plain}};
    writer_.append(record);
    newest_status_[case_name(c)] = record.at("status");
    written_[case_name(c)] = record.at("status");
    known_[case_name(c)] = record;
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
  std::string backup_;  // copy of the file's earlier contents; empty if there were none
  Supervisor supervisor_;
  Json description_;
  double start_;
  const std::vector<Case>& cases_;  // requested cases
  EarlierRecords earlier_;
  RunPlan plan_;
  Budget budget_;
  bool company_noted_ = false;
  bool again_ = false;  // the cases have been measured in another process
  // Status by case name: of records written by this run, and of the newest record of any run.
  std::map<std::string, std::string> written_, newest_status_;
  std::map<std::string, Json> known_;  // newest record by case name, of this program and machine
  Json environment_;
  Json load_;  // other load on the machine at the start; null if unknown
  Ceilings ceilings_{[this](const RoofKey& key) {
                       return ask_for_roof(supervisor_, key, keep_going_,
                                           [this](const std::string& why) { progress_.note(why); });
                     },
                     options_.known_roofs};
  Json limits_ = options_.known_limits;
  RunSummary summary_;
  const KeepGoing keep_going_ = [this](const std::string& what) {
    progress_.working(what);
    return going();
  };
  std::map<DeviceId, Losses> losses_;
};

}  // namespace

RunSummary run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress) {
  return Run(cases, options, progress).run();
}

}  // namespace cfdmark
