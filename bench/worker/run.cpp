#include "bench/worker/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "bench/case/case_record.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/worker/budget.hpp"
#include "bench/worker/device_losses.hpp"
#include "bench/worker/run_environment.hpp"
#include "bench/worker/run_plan.hpp"
#include "bench/worker/run_records.hpp"

namespace cfdmark {
namespace {

class Run {
 public:
  Run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress)
      : cases_(cases),
        options_(options),
        progress_(progress),
        writer_(options.output),
        backup_(options.fresh ? writer_.start_over() : ""),
        supervisor_(options.worker, options.timeout, {}, options.worker_rows),
        environment_(options, supervisor_, writer_, progress, interruption_, keep_going_),
        earlier_(earlier_records()),
        plan_(make_plan(cases, earlier_)),
        records_(cases, earlier_, writer_),
        losses_(options.losses),
        budget_(budget_of_process(1, plan_.to_measure())) {}

  RunSummary run() {
    if (!backup_.empty())
      progress_.note(
          fmt::format("{} starts from scratch; its earlier records are in {}", options_.output, backup_));
    // An empty shard is recorded too; otherwise it would look like one that was not measured.
    const bool is_empty_shard = cases_.empty() && !options_.sweep.is_null();
    if (plan_.to_measure() + plan_.not_run.size() + unfinished().size() > 0 || is_empty_shard) measure_all();
    writer_.sync();
    progress_.clear();
    return summary();
  }

 private:
  EarlierRecords earlier_records() {
    if (!std::filesystem::is_regular_file(options_.output)) return {};
    const RecordFile file = read_records(options_.output);
    for (const std::string& warning : file.warnings) progress_.note(warning);
    if (file.lines.empty()) return {};
    // Only a worker knows the GPUs and the threads.
    EarlierRecords earlier(file.lines, environment_.description(),
                           options_.counts ? options_.counts : is_of_this_program);
    if (earlier.elsewhere() > 0 && !options_.counts)
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

  // Returns the cases that are ok but lack a process.
  CaseGroup unfinished() const { return records_.in_fewer_processes(options_.processes); }

  std::vector<Case> cases_at(const CaseGroup& indices) const {
    std::vector<Case> cases;
    for (const std::size_t n : indices) cases.push_back(cases_[n]);
    return cases;
  }

  void measure_all() {
    begin_environment();
    for (const std::size_t n : plan_.not_run) write(n, not_run(n, cases_[n].not_run));
    measure(plan_.groups);
    for (int process = 2; process <= options_.processes && going() && !budget_.over(); ++process)
      measure_again(process);
  }

  void begin_environment() {
    environment_.look_at_load();
    const double start = seconds_now();
    CaseGroup to_measure = unfinished();
    for (const CaseGroup& group : plan_.groups)
      to_measure.insert(to_measure.end(), group.begin(), group.end());
    if (options_.measure_roofs) {
      environment_.measure_ceilings(cases_at(to_measure));
      environment_.measure_links(cases_at(to_measure));
    }
    summary_.ceilings_seconds = seconds_now() - start;
    environment_.write();
  }

  // Each process gets an equal share of the remaining time, after what it needs besides samples.
  Budget budget_of_process(int process, std::size_t cases) const {
    std::optional<double> left;
    if (options_.budget) left = *options_.budget - (seconds_now() - start_);
    const double case_seconds = options_.case_seconds / options_.processes;
    return Budget(case_seconds, left, cases, 1.0 / (options_.processes - process + 1),
                  options_.full_samples ? case_seconds : Budget::least);
  }

  void measure_again(int process) {
    const CaseGroup these = records_.in_fewer_processes(process);
    if (these.empty()) return;
    again_ = true;
    supervisor_.end_worker();
    budget_ = budget_of_process(process, these.size());
    progress_.note(fmt::format("process {} of {}: measures each case again, for the spread between processes",
                               process, options_.processes));
    if (options_.measure_roofs && !options_.budget) environment_.measure_hosts_again(cases_at(these));
    measure(groups_to_measure(cases_, these));
  }

  void measure(const std::vector<CaseGroup>& groups) {
    std::size_t count = 0;
    for (const CaseGroup& group : groups) count += group.size();
    progress_.start(count);
    for (const CaseGroup& group : groups) {
      CaseGroup pending = group;
      while (!pending.empty() && going() && !budget_.over()) measure_group(pending);
      if (!again_) summary_.left += pending.size();
    }
  }

  // Removes the answered cases from `pending`: all, or as many as were measured.
  void measure_group(CaseGroup& pending) {
    give_up_lost(pending);
    if (pending.empty()) return;
    const CaseGroup asked = std::move(pending);
    const double start = seconds_now();
    double sampled = 0;
    std::vector<bool> answered(asked.size(), false);
    CaseListener listener;
    listener.result = [&](std::size_t k, CaseResult result) {
      answered[k] = true;
      sampled += result.sampled_seconds();
      take(asked[k], std::move(result));
    };
    listener.keep_going = keep_going_;
    const Answer answer = ask_for_cases(supervisor_,
                                        {{"request", "run"},
                                         {"seconds", budget_.seconds_a_case()},
                                         {"interval", options_.interval},
                                         {"fewest_samples", options_.fewest_samples},
                                         {"again", again_}},
                                        cases_at(asked), listener);
    if (answer.end == Answer::End::device_lost) count_loss(cases_[asked[answer.culprit]], answer.reason);
    hold_against_roofs(asked);

    pending.clear();
    for (std::size_t k = 0; k < asked.size(); ++k)
      if (!answered[k]) pending.push_back(asked[k]);
    budget_.spend(asked.size() - pending.size(), seconds_now() - start, sampled);
  }

  void take(std::size_t n, CaseResult result) {
    if (result.is_ok()) losses_.responds(device_of(cases_[n]));
    note_company(n, result);
    const std::string reason = result.reason;
    if (std::optional<Record> record = records_.record_with(n, std::move(result), environment_.line()))
      write(n, *std::move(record));
    else
      progress_.note(fmt::format("{}: {}", short_name(cases_[n]), reason));
  }

  // Notes once that other processes appeared on the device after this run started.
  void note_company(std::size_t n, const CaseResult& result) {
    const Json& state = result.device_state;
    const int others = state.is_object() ? state.value("other_processes", 0) : 0;
    if (others == 0 || company_noted_) return;
    company_noted_ = true;
    progress_.note(fmt::format("{}: {} other process{} on the device while it was measured; records say so",
                               short_name(cases_[n]), others, others > 1 ? "es were" : " was"));
  }

  // If a rate contradicted a roof, writes the affected records again with the present roof.
  void hold_against_roofs(const CaseGroup& asked) {
    std::set<std::string> changed;  // names of roofs
    for (const std::size_t n : asked)
      if (const Record* known = records_.find(n); known && environment_.doubts_roof(cases_[n], *known))
        changed.insert(roof_name(roof_key(cases_[n])));
    if (changed.empty()) return;
    environment_.write();
    for (const std::size_t n : asked) {
      const Record* known = records_.find(n);
      if (!known || !changed.contains(roof_name(roof_key(cases_[n])))) continue;
      Record record = *known;
      record.environment = environment_.line().at("id");
      record.set_roof(environment_.roof_of(cases_[n]));
      records_.write(n, std::move(record));
    }
  }

  void count_loss(const Case& c, const std::string& reason) {
    if (!losses_.add(device_of(c), reason)) return;
    summary_.device_given_up = true;
    progress_.note(fmt::format("the {} device was lost {} times in a row; its remaining cases are skipped",
                               to_string(device_of(c)), options_.losses));
  }

  // Records cases whose device was lost too often, unless they have been measured.
  void give_up_lost(CaseGroup& pending) {
    std::erase_if(pending, [&](std::size_t n) {
      const DeviceId device = device_of(cases_[n]);
      if (!losses_.is_given_up(device)) return false;
      if (!again_)
        write(n, not_run(n, fmt::format("{} {} times in a row: {}", device_was_lost, losses_.in_a_row(device),
                                        losses_.reason(device))));
      return true;
    });
  }

  Record not_run(std::size_t n, const std::string& reason) const {
    return record_without_time(cases_[n], "not_run", reason, environment_.line().at("id"));
  }

  void write(std::size_t n, const Record& record) {
    records_.write(n, record);
    if (cases_[n].not_run.empty()) progress_.finished(record);
  }

  RunSummary summary() const {
    RunSummary summary = summary_;
    summary.done_before = std::size_t(plan_.done);
    summary.in_fewer_processes = unfinished().size();
    records_.count(summary);
    summary.roofs = environment_.roofs();
    summary.limits = environment_.limits();
    summary.seconds = seconds_now() - start_;
    summary.workers = supervisor_.time();
    return summary;
  }

  const std::vector<Case>& cases_;  // requested cases
  const RunOptions& options_;
  Progress& progress_;
  const KeepGoing keep_going_ = [this](const std::string& what) {
    progress_.working(what);
    return going();
  };
  RunSummary summary_;
  Interruption interruption_;
  RecordWriter writer_;
  std::string backup_;  // copy of the file's earlier contents; empty if there were none
  Supervisor supervisor_;
  const double start_ = seconds_now();
  RunEnvironment environment_;
  EarlierRecords earlier_;
  RunPlan plan_;
  RunRecords records_;
  DeviceLosses losses_;
  Budget budget_;
  bool company_noted_ = false;
  bool again_ = false;  // the cases have been measured in another process
};

}  // namespace

RunSummary run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress) {
  return Run(cases, options, progress).run();
}

}  // namespace cfdmark
