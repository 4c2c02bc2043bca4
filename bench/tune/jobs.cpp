#include "bench/tune/jobs.hpp"

#include <algorithm>
#include <deque>

#include "bench/text/seconds_now.hpp"
#include "bench/tune/budget_claims.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "kernels/device/cpu/host_memory.hpp"

namespace cfdmark::tuning {
namespace {

using End = JobResult::End;

constexpr std::size_t jobs_at_once = 8;  // jobs whose device code is compiled ahead in another process
// Least share of the needed seconds with which a job starts. With less a search finds nothing useful.
constexpr double least_part = 0.5;

class Jobs {
 public:
  Jobs(const std::vector<TuneJob>& jobs, const JobsOptions& options, TuneSession& session, Progress& progress)
      : jobs_(jobs), options_(options), session_(session), progress_(progress), start_(seconds_now()) {
    for (const TuneJob& job : jobs_) sharers_.push_back({job_weight(job), seconds_needed(job)});
  }

  std::vector<JobResult> run(const JobListener& listener) {
    std::vector<JobResult> results(jobs_.size());
    describe();
    std::vector<std::size_t> known;
    for (std::size_t n = 0; n < jobs_.size(); ++n)
      if (is_known(jobs_[n]))
        results[n].end = End::known, known.push_back(n);
      else
        turns_.push_back(n);
    listener.known(known);
    // Jobs without any answer come first. Those answered in part may need more time than there is, every
    // time.
    std::stable_partition(turns_.begin(), turns_.end(),
                          [this](std::size_t n) { return !is_begun(jobs_[n]); });
    // Only measured jobs count for the estimate of the remaining time.
    progress_.start(turns_.size());
    if (options_.tune.budget) progress_.set_limit(seconds_left());
    std::size_t turn = 0;
    for (; turn < turns_.size() && !lost_ && !interrupted(); ++turn) {
      const std::size_t n = turns_[turn];
      results[n] = measured(turn);
      progress_.count();
      listener.ended(n, results[n]);
    }
    for (; turn < turns_.size(); ++turn)
      results[turns_[turn]] = {End::left, lost_ ? "the device was lost" : "interrupted", {}, 0};
    return results;
  }

 private:
  bool interrupted() const { return session_.interruption().requested(); }
  double seconds_left() const { return *options_.tune.budget - (seconds_now() - start_); }

  void describe() {
    const auto keep_going = [this](const std::string& what) {
      progress_.working(what);
      return !interrupted() && (!options_.tune.budget || seconds_left() > 0);
    };
    const Json& description = session_.description(keep_going);
    if (description.is_null()) {
      if (interrupted()) return;
      throw BudgetOver("the budget ended during the device queries; increase --budget");
    }
    const TuningTarget& first = jobs_.front().targets.front();
    device_ = tuning_device(description, DeviceId(first.methods.front()->backend, first.device));
    if (options_.tune.tuned_folder.empty()) return;
    tables_ = read_tuned_tables(options_.tune.tuned_folder);
    for (const std::string& warning : tables_.warnings) progress_.note(warning);
    for (const TunedTable& table : tables_.tables) earlier_.push_back({{table}, {}});
  }

  // Returns the table of this device, or null if all jobs are to be tuned again.
  const TunedTable* answering_table() const {
    if (options_.tune.each_alone || options_.retune) return nullptr;
    for (const TunedTable& table : tables_.tables)
      if (table.device.name == device_.name && table.device.architecture == device_.architecture)
        return &table;
    return nullptr;
  }
  bool is_known(const TuneJob& job) const {
    const TunedTable* table = answering_table();
    return table && is_answered(job, options_.tune, table->entries);
  }
  bool is_begun(const TuneJob& job) const {
    const TunedTable* table = answering_table();
    return table && !answered_grids(job, options_.tune, table->entries).empty();
  }

  TuneSpace space_of(const TuningTarget& s) const {
    return tune_space(s, available_host_memory(), std::nullopt, options_.tune.most_combinations());
  }

  // Starts to compile the code of the next jobs while one measures. Compiling is faster than measuring, so
  // all code is ready soon.
  void compile_after(std::size_t turn) {
    if (session_.is_compiling()) return;
    std::vector<Case> cases;
    std::size_t asked = 0;
    for (compiled_ = std::max(compiled_, turn + 1); compiled_ < turns_.size() && asked < jobs_at_once;
         ++compiled_) {
      const std::vector<TuningTarget>& targets = jobs_[turns_[compiled_]].targets;
      const std::vector<const Row*>& methods = targets.front().methods;
      if (std::none_of(methods.begin(), methods.end(), [](const Row* row) { return row->device_code; }))
        continue;
      ++asked;
      std::deque<TuneSpace> spaces;
      std::vector<TuningTarget> of_spaces;
      for (const TuningTarget& s : targets) try {
          spaces.push_back(space_of(s));
          of_spaces.push_back(with_winners(s));
        } catch (const std::invalid_argument&) {  // no config can run on this grid
        }
      const std::size_t most = most_configs * targets.size();
      const std::vector<Case> all = cases_to_compile(spaces, of_spaces, options_.tune.seed);
      cases.insert(cases.end(), all.begin(), all.begin() + std::ptrdiff_t(std::min(all.size(), most)));
    }
    session_.compile_meanwhile(cases);
  }

  JobResult measured(std::size_t turn) {
    const double start = seconds_now();
    const std::size_t n = turns_[turn];
    TuneOptions o = options_.tune;
    o.scope = jobs_[n].scope;
    o.leave_out = true;
    JobResult result;
    try {
      compile_after(turn);
      if (o.budget) {
        o.budget = share(turn);
        if (!o.budget) return {End::left, "the budget is used up", {}, 0};
      }
      result = tuned(n, o);
    } catch (const BudgetOver& e) {
      result = {End::left, e.what(), {}, 0};
    } catch (const DeviceLost& e) {
      result = {End::went_wrong, e.what(), {}, 0};
      lost_ = true;
    } catch (const WriteError&) {
      throw;
    } catch (const std::exception& e) {  // no config of this job works
      result = {End::went_wrong, e.what(), {}, 0};
    }
    result.seconds = seconds_now() - start;
    return result;
  }

  std::optional<double> share(std::size_t turn) const {
    std::vector<BudgetClaim> left;
    for (std::size_t t = turn; t < turns_.size(); ++t) left.push_back(sharers_[turns_[t]]);
    return allocate(seconds_left(), left, least_part);
  }

  JobResult tuned(std::size_t n, const TuneOptions& options) {
    std::vector<TuningTarget> targets = jobs_[n].targets;
    for (TuningTarget& s : targets) s = with_winners(s);
    if (std::none_of(targets.begin(), targets.end(), [&](const TuningTarget& s) { return has_a_choice(s); }))
      return {End::no_choice, "", {}, 0};
    TuneResult found = tune(targets, options, session_, progress_);
    if (found.interrupted) return {End::left, "interrupted", {}, 0};
    return {End::answered, "", std::move(found), 0};
  }

  TuningTarget with_winners(TuningTarget s) const {
    const std::vector<Candidate> winners =
        options_.tune.each_alone ? std::vector<Candidate>{tuned_candidate(s)} : earlier_winners(s);
    s.beside.insert(s.beside.end(), winners.begin(), winners.end());
    return s;
  }

  bool has_a_choice(const TuningTarget& s) const try {
    return space_of(s).space.size() > 1;
  } catch (const std::invalid_argument&) {  // no config can run on this grid
    return false;
  }

  Candidate tuned_candidate(const TuningTarget& s) const {
    const auto [row, answer] = look_up_method(tables_, device_, s.methods, s.grid, s.workload);
    if (row) return {row->method, answer.config};
    const Row& usual = default_row(s.methods, s.grid, s.workload);
    return {usual.method, usual.space.defaults()};
  }

  // Returns the winners in the tables of all devices, outdated entries included. A search cut short by its
  // budget may not reach them.
  std::vector<Candidate> earlier_winners(const TuningTarget& s) const {
    std::vector<Candidate> found;
    for (const TunedTables& table : earlier_) {
      const auto [row, answer] =
          look_up_method(table, table.tables.front().device, s.methods, s.grid, s.workload, Sources::any);
      if (row) found.push_back({row->method, answer.config});
    }
    return found;
  }

  const std::vector<TuneJob>& jobs_;
  const JobsOptions& options_;
  TuneSession& session_;
  Progress& progress_;
  double start_;
  std::vector<BudgetClaim> sharers_;
  std::vector<std::size_t> turns_;  // jobs to measure, in order
  std::size_t compiled_ = 0;        // index of the first turn not yet compiled ahead
  bool lost_ = false;
  TuningDevice device_;
  TunedTables tables_;
  std::vector<TunedTables> earlier_;  // one per device
};

}  // namespace

std::vector<JobResult> run_jobs(const std::vector<TuneJob>& jobs, const JobsOptions& options,
                                TuneSession& session, Progress& progress, const JobListener& listener) {
  return Jobs(jobs, options, session, progress).run(listener);
}

}  // namespace cfdmark::tuning
