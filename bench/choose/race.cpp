#include "bench/choose/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "bench/case/case_record.hpp"
#include "bench/measure/make_record.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tune/runner.hpp"
#include "tuning/selection.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

// Share of the budget for the first solves, once one of them has ended; the rest is for samples.
constexpr double share_of_opening = 0.6;
// The first time limit of a solve: this share of the budget over the number of cases, within these seconds.
// Each further round has `growth` times as much.
constexpr double share_of_first_round = 0.3, least_limit = 0.02, most_limit = 2, growth = 4;
// A case that has not ended after this multiple of the fastest solve is not tried again.
constexpr double far_behind = 4;
// Set-up, which may compile device code, is not part of a solve. Its limit is this multiple of the solve's,
// and at least these seconds, but in the first round at most this share of the budget, so that one case does
// not take the time of all. Later rounds have `growth` times as much.
constexpr double set_up_factor = 5, least_set_up = 5, most_set_up_share = 0.1;
// A solve ends itself at its limit. One that does not, since it checks no residual, is killed at this
// multiple of it and these further seconds.
constexpr double kill_factor = 2, kill_after = 1;
constexpr int milliseconds_between_looks = 10;

// Finalists take at most this multiple of the least time of the first solves.
constexpr double near_fastest = 2;
constexpr std::size_t most_finalists = 8;
constexpr int processes = 2;
// Samples of a round, enough for an interval, and of each process at most.
constexpr int round_samples = 6, most_samples = 30;

class Race {
 public:
  Race(const std::vector<Case>& cases, const TuneOptions& options, Progress& progress)
      : budget_(options.budget.value()), session_(options), progress_(progress) {
    for (const Case& c : cases) contenders_.push_back({c, {}});
  }

  RaceResult run() {
    const KeepGoing keep_going = [this](const std::string& what) {
      progress_.working(what);
      return !interrupted();
    };
    session_.description(keep_going);
    if (!interrupted()) environment_ = session_.environment(nullptr, keep_going, progress_);
    open();
    if (!interrupted()) finals();
    for (const Contender& c : contenders_)
      if (!c.record && !environment_.is_null()) keep(without_time(c));
    session_.sync();
    progress_.clear();
    std::stable_sort(contenders_.begin(), contenders_.end(), [](const Contender& a, const Contender& b) {
      if (!a.is_verified() || !b.is_verified()) return a.is_verified() > b.is_verified();
      return std::tuple(!a.is_tie, a.seconds()) < std::tuple(!b.is_tie, b.seconds());
    });
    return {std::move(contenders_), budget_ended_, interrupted(), session_.seconds(), session_.unwritten()};
  }

 private:
  bool interrupted() const { return session_.interruption().requested(); }
  double seconds_left() const { return budget_ - session_.seconds(); }
  bool may_open() const {
    const double share = fastest_solve_ > 0 ? share_of_opening : 1;
    return !interrupted() && session_.seconds() < share * budget_;
  }

  // Tries each case until it ends or is far behind the fastest. Every case gets a turn before any gets a
  // second one.
  void open() {
    std::vector<std::size_t> pending;
    for (std::size_t n = 0; n < contenders_.size(); ++n)
      if (contenders_[n].c.not_run.empty()) pending.push_back(n);
    progress_.start(pending.size());
    double limit =
        std::clamp(share_of_first_round * budget_ / double(std::max<std::size_t>(pending.size(), 1)),
                   least_limit, most_limit);
    double most_set_up = most_set_up_share * budget_;
    for (; !pending.empty() && may_open(); limit *= growth, most_set_up *= growth) {
      std::vector<std::size_t> unfinished;
      for (const std::size_t n : pending)
        if (!may_open() || !attempt(n, limit, most_set_up)) unfinished.push_back(n);
      std::erase_if(unfinished, [&](std::size_t n) { return is_far_behind(contenders_[n]); });
      pending = std::move(unfinished);
    }
    budget_ended_ = !pending.empty();
  }

  bool is_far_behind(const Contender& c) const {
    return fastest_solve_ > 0 && c.slower_than >= far_behind * fastest_solve_;
  }

  // Has a process ready for a case, so that its start is not part of a set-up.
  void wait_for_worker(const Case& c) {
    session_.supervisor().prestart(1, request_to_stand_by(device_of(c)));
    session_.supervisor().wait_for_standby([this] { return !interrupted() && seconds_left() > 0; });
  }

  // Prepares, verifies and times one solve, which may take `limit` seconds after a set-up of at most
  // `most_set_up` seconds. Returns false if it did not end in time.
  bool attempt(std::size_t n, double limit, double most_set_up) {
    Contender& contender = contenders_[n];
    if (fastest_solve_ > 0) limit = std::clamp(far_behind * fastest_solve_, least_limit, limit);
    wait_for_worker(contender.c);
    const double set_up = std::min(most_set_up, std::max(set_up_factor * limit, least_set_up));
    const double start = seconds_now(), set_up_end = start + set_up,
                 kill_time = kill_factor * limit + std::min(kill_after, most_set_up);
    double solving_since = 0;
    CaseListener listener;
    listener.milliseconds_between_looks = milliseconds_between_looks;
    bool is_late = false;
    listener.result = [&](std::size_t, CaseResult result) {
      if (is_late = result.status == "timeout"; !is_late) take(contender, std::move(result));
    };
    listener.keep_going = [&](const std::string& what) {
      progress_.working(what);
      const double now = seconds_now();
      const bool prepares =
          what.starts_with(to_string(Stage::prepare)) || what.starts_with(to_string(Stage::compile));
      if (!prepares && solving_since == 0) solving_since = now;
      return !interrupted() && seconds_left() > 0 &&
             now < (solving_since > 0 ? solving_since + kill_time : set_up_end);
    };
    const Json request = {{"request", "sample"}, {"samples", 1}, {"solve_seconds", limit}};
    const Answer answer = ask_for_cases(session_.supervisor(), request, {contender.c}, listener);
    if (is_late) contender.slower_than = std::max(contender.slower_than, limit);
    if (answer.end != Answer::End::stopped) return !is_late;
    double& seconds = solving_since > 0 ? contender.slower_than : contender.preparing_for;
    seconds = std::max(seconds, seconds_now() - (solving_since > 0 ? solving_since : start));
    return false;
  }

  void take(Contender& contender, CaseResult result) {
    contender.record = make_record(contender.c, std::move(result), environment_);
    keep(*contender.record);
    progress_.finished(*contender.record);
    if (!contender.is_verified()) return;
    // A short sample follows an untimed solve.
    const CaseResult& r = contender.record->result;
    const double seconds = r.overhead.value_or(Overhead()).verify + 2 * r.sampled_seconds();
    fastest_solve_ = fastest_solve_ > 0 ? std::min(fastest_solve_, seconds) : seconds;
  }

  // Samples the fastest in two further processes until the winner is clear, or the budget ends.
  void finals() {
    const std::vector<std::size_t> finalists = fastest();
    if (finalists.empty()) return;
    std::vector<Candidate> candidates;
    std::vector<Case> cases;
    for (const std::size_t n : finalists) {
      const Case& c = contenders_[n].c;
      candidates.push_back({row_name(*c.row, c.device), c.config});
      cases.push_back(c);
    }
    const TuneSpace space{SearchSpace(std::move(candidates), 0), std::move(cases), {}};
    TuneRunner runner(space,
                      {environment_, no_note_, session_, progress_, [this] { return seconds_left(); }});
    std::vector<Evaluation> evaluations(finalists.size());
    std::vector<std::size_t> running(finalists.size());
    std::iota(running.begin(), running.end(), std::size_t(0));
    for (int process = 1; process <= processes && seconds_left() > 0 && !interrupted(); ++process) {
      session_.supervisor().end_worker();
      sample(runner, running, evaluations, seconds_left() / (processes - process + 1), process == processes);
    }
    if (running.empty()) return;
    const std::vector<bool> slower = surely_slower(evaluations, running.front());
    std::size_t ties = 0;
    for (std::size_t k = 0; k < finalists.size(); ++k) {
      if (!evaluations[k].ok()) continue;
      Contender& c = contenders_[finalists[k]];
      c.record = record_from_json(runner.record(k));
      c.is_tie = !slower[k];
      ties += c.is_tie;
    }
    budget_ended_ = budget_ended_ || (ties > 1 && seconds_left() <= 0);
  }

  // Takes rounds of samples in one process within `seconds`. Drops from `running` those that are surely
  // slower; before the last process the fastest two stay, so that both have samples of each process.
  void sample(TuneRunner& runner, std::vector<std::size_t>& running, std::vector<Evaluation>& evaluations,
              double seconds, bool is_last) {
    const double end = seconds_now() + seconds;
    for (int taken = 0; taken < most_samples && !interrupted(); taken += round_samples) {
      if (const double left = end - seconds_now(); left <= 0) return;
      const auto trials = runner(running, round_samples, end - seconds_now());
      for (std::size_t k = 0; k < running.size(); ++k) add(evaluations[running[k]], trials[k]);
      std::erase_if(running, [&](std::size_t k) { return evaluations[k].samples.empty(); });
      std::sort(running.begin(), running.end(), [&](std::size_t a, std::size_t b) {
        return median(evaluations[a].samples) < median(evaluations[b].samples);
      });
      if (running.empty()) return;
      const std::vector<bool> slower = surely_slower(evaluations, running.front());
      const auto first_slower =
          std::find_if(running.begin(), running.end(), [&](std::size_t k) { return slower[k]; });
      const bool decided = first_slower - running.begin() <= 1;
      const std::size_t stay = !is_last && decided ? 2 : 0;
      std::size_t place = 0;
      std::erase_if(running, [&](std::size_t k) { return place++ >= stay && slower[k]; });
      if (decided) return;
    }
  }

  static void add(Evaluation& all, const Evaluation& trial) {
    if (trial.status == TrialStatus::not_tried) return;
    all.status = trial.status;
    all.reason = trial.reason;
    if (!trial.ok()) all.samples.clear();
    all.samples.insert(all.samples.end(), trial.samples.begin(), trial.samples.end());
  }

  // Returns the verified contenders near the fastest, fastest first.
  std::vector<std::size_t> fastest() const {
    std::vector<std::size_t> found;
    for (std::size_t n = 0; n < contenders_.size(); ++n)
      if (contenders_[n].is_verified()) found.push_back(n);
    std::sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
      return contenders_[a].seconds() < contenders_[b].seconds();
    });
    if (found.empty()) return found;
    const double most = near_fastest * contenders_[found.front()].seconds();
    std::erase_if(found, [&](std::size_t n) { return contenders_[n].seconds() > most; });
    found.resize(std::min(found.size(), most_finalists));
    return found;
  }

  Record without_time(const Contender& c) const {
    const std::string id = environment_.at("id");
    const bool was_stopped = c.slower_than > 0 || c.preparing_for > 0;
    return record_without_time(c.c, was_stopped ? "timeout" : "not_run", c.why_no_record(), id);
  }

  void keep(const Record& record) { session_.keep(to_json(record), progress_); }

  double budget_;
  TuneSession session_;
  Progress& progress_;
  Json environment_;
  const Json no_note_;
  std::vector<Contender> contenders_;
  double fastest_solve_ = 0;  // seconds of verification and sample of the fastest; 0: none ended
  bool budget_ended_ = false;
};

}  // namespace

bool Contender::is_verified() const {
  if (!record || !record->is_ok() || !record->derived) return false;
  const Json& solver = record->result.solver;
  return !solver.is_object() || solver.value("converged", false);
}

std::string Contender::why_no_record() const {
  if (!c.not_run.empty()) return c.not_run;
  if (slower_than > 0)
    return fmt::format("slower than {}: no verified solve ended within that time", seconds_text(slower_than));
  if (preparing_for > 0)
    return fmt::format("its preparation took longer than {}", seconds_text(preparing_for));
  return "the budget ended before its first solve";
}

RaceResult race(const std::vector<Case>& cases, const TuneOptions& options, Progress& progress) {
  return Race(cases, options, progress).run();
}

}  // namespace cfdmark
