#include "bench/tune/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bench/text/seconds_now.hpp"
#include "bench/tune/budget_claims.hpp"
#include "bench/tune/confirmation_time.hpp"

namespace cfdmark::tuning {
namespace {

constexpr std::size_t best_alone = 3;  // candidates to confirm on a grid searched alone
constexpr std::size_t best_alone_of_kind = 2;
constexpr std::size_t most_weighed = 8;  // candidates to weigh for energy or memory
constexpr double seconds_to_weigh = 2;   // seconds per config to measure energy, preparation included
// Seconds for confirmation per grid and in total, and its largest share of the budget, even if the search
// left less. Without confirmation the default stays.
constexpr double most_for_a_grid = 2, most_for_all = 4, most_of_budget = 0.25;
// Factor and seconds by which a process may exceed its estimate for a grid before it is stopped, and seconds
// for its start if none is on standby.
constexpr double spare = 1.5, least_spare = 1, start_of_a_process = 2;

class ConfirmationRounds {
 public:
  ConfirmationRounds(std::vector<TuneAnswer>& answers, const ConfirmationWith& with)
      : answers_(answers),
        with_(with),
        time_(answers, std::max(with.options.samples / confirming_processes, 1)) {}

  void measure(const AcrossSizes& across) {
    std::vector<Finalists> finalists;
    for (const std::vector<std::size_t>& group : across.groups(with_.options)) {
      const std::set<std::size_t> wanted = across.finalists_of(group, with_.options);
      for (const std::size_t n : group) {
        // By priority: if time ends early, the last ones are not measured.
        Finalists f{n, {}};
        add(f, answers_[n].space.space.fallback());
        add(f, answers_[n].choice.value().winner);
        add_earlier(f);
        for (const std::size_t w : wanted)
          if (const auto c = across.at(n, w)) add(f, *c);
        add_best(f);
        if (f.candidates.size() > 1) finalists.push_back(std::move(f));
      }
    }
    const double seconds = std::max(with_.seconds_left(), beyond_budget(finalists.size()));
    const std::vector<Finalists> fit = time_.in_time(finalists, seconds);
    double least = 0;  // may exceed `seconds`, because one grid is always measured
    for (const Finalists& f : fit) least += confirming_processes * time_.least_of(f);
    measure_anew(fit, seconds_now() + std::max(seconds, spare * least));
    for (const Finalists& f : finalists) {
      if (with_.options.objective == Objective::energy && !interrupted())
        with_.runners[f.answer]->weigh(f.candidates, seconds_to_weigh * double(f.candidates.size()));
      drop_untold(f);
    }
  }

 private:
  bool interrupted() const { return with_.session.interruption().requested(); }
  double beyond_budget(std::size_t grids) const {
    return std::min({most_for_a_grid * double(grids), most_for_all,
                     most_of_budget * with_.options.budget.value_or(HUGE_VAL)});
  }

  bool may_have_a_time(std::size_t n, std::size_t candidate) const {
    const Evaluation& e = answers_[n].evaluations[candidate];
    return e.ok() || e.status == TrialStatus::not_tried;
  }

  void add(Finalists& f, std::size_t c) const {
    if (std::find(f.candidates.begin(), f.candidates.end(), c) == f.candidates.end() &&
        may_have_a_time(f.answer, c))
      f.candidates.push_back(c);
  }

  void add_earlier(Finalists& f) const {
    const TuneAnswer& a = answers_[f.answer];
    for (const Candidate& candidate : a.beside)
      if (const auto c = a.space.space.find(candidate)) add(f, *c);
  }

  // Adds some of the fastest, and the fastest that make as many steps per run as the default. The search
  // cannot decide which of these is best.
  void add_best(Finalists& f) const {
    const TuneAnswer& a = answers_[f.answer];
    const std::vector<std::size_t> fastest = fastest_of(a);
    if (with_.options.each_alone) {
      std::size_t seen = 0, seen_of_kind = 0;
      for (const std::size_t c : fastest) {
        const bool of_kind = is_of_the_defaults_kind(a, c);
        if (seen < best_alone || (of_kind && seen_of_kind < best_alone_of_kind)) add(f, c);
        ++seen, seen_of_kind += of_kind;
      }
    }
    if (with_.options.objective != Objective::time)
      for (const std::size_t c : to_weigh(a, fastest)) add(f, c);
  }

  // Returns the fastest candidates that qualify for the objective.
  std::vector<std::size_t> to_weigh(const TuneAnswer& a, std::vector<std::size_t> fastest) const {
    const auto quantity = [&](std::size_t c) {
      return objective_quantity(a.records[c], with_.options.objective)
          .value_or(std::numeric_limits<double>::infinity());
    };
    if (with_.options.objective == Objective::memory && !fastest.empty()) {
      double least = quantity(fastest.front());
      for (const std::size_t c : fastest) least = std::min(least, quantity(c));
      std::erase_if(fastest, [&](std::size_t c) { return quantity(c) > (1 + smallest_effect) * least; });
    }
    fastest.resize(std::min(fastest.size(), most_weighed));
    return fastest;
  }

  // Measures all grids in turn in each of several new processes, until `end` at the latest.
  void measure_anew(const std::vector<Finalists>& finalists, double end) {
    if (finalists.empty()) return;
    Supervisor& supervisor = with_.session.supervisor();
    const Json stand_by = request_to_stand_by(device_of(answers_.front().space.cases.front()));
    std::vector<BudgetClaim> left;  // next first
    for (int process = 0; process < confirming_processes; ++process)
      for (const Finalists& f : finalists) left.push_back({std::max(time_.most_of(f), 1e-3)});
    for (int process = 0; process < confirming_processes && !interrupted(); ++process) {
      const bool one_stands_by = supervisor.standing_by() > 0;
      if (one_stands_by)
        supervisor.swap_worker(stand_by, [this] { return !interrupted(); });
      else
        supervisor.end_worker();  // in exclusive mode a new process can start only after this one
      double start = one_stands_by ? 0 : start_of_a_process;
      for (const Finalists& f : finalists) {
        const double seconds = end - seconds_now(), least = time_.least_of(f);
        const double share = allocate(seconds - start, left).value_or(0);
        left.erase(left.begin());
        if (seconds < least) continue;
        const double most = std::max({share, spare * least, least + least_spare}) + start;
        measure_anew(f, time_.samples_within(f, share), std::min(most, seconds));
        start = 0;
      }
    }
  }

  void measure_anew(const Finalists& f, int samples, double seconds) {
    TuneAnswer& a = answers_[f.answer];
    const std::vector<std::size_t>& candidates = f.candidates;
    const auto trials = (*with_.runners[f.answer])(candidates, samples, seconds);
    if (!timed_winner(a, candidates, trials)) return;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      if (!trials[k].samples.empty()) a.fresh[candidates[k]].push_back(trials[k].samples);
  }

  // Drops the times of candidates that some process did not measure.
  void drop_untold(const Finalists& f) {
    TuneAnswer& a = answers_[f.answer];
    std::size_t most = 0;
    for (const ProcessSamples& p : a.fresh) most = std::max(most, p.size());
    for (ProcessSamples& p : a.fresh)
      if (p.size() < most) p.clear();
    for (const std::size_t c : f.candidates) a.records[c] = with_.runners[f.answer]->record(c);
  }

  std::vector<TuneAnswer>& answers_;
  const ConfirmationWith& with_;
  const ConfirmationTime time_;
};

}  // namespace

bool timed_winner(const TuneAnswer& a, const std::vector<std::size_t>& candidates,
                  const std::vector<Evaluation>& trials) {
  const auto trial_of = [&](std::size_t candidate) -> const Evaluation* {
    const auto found = std::find(candidates.begin(), candidates.end(), candidate);
    return found == candidates.end() ? nullptr : &trials[std::size_t(found - candidates.begin())];
  };
  const std::size_t fallback = a.space.space.fallback();
  const Evaluation* of_default = trial_of(fallback);
  const Evaluation* of_winner = trial_of(a.choice.value().winner);
  if (a.evaluations[fallback].ok() && (!of_default || of_default->samples.empty())) return false;
  return !of_winner || of_winner->status != TrialStatus::not_tried;
}

void measure_finalists(std::vector<TuneAnswer>& answers, const AcrossSizes& across,
                       const ConfirmationWith& with) {
  ConfirmationRounds(answers, with).measure(across);
}

bool confirm(TuneAnswer& a) {
  const std::size_t fallback = a.space.space.fallback();
  Selection& choice = a.choice.value();
  if (choice.winner == fallback || !choice.gain) return true;
  a.confirmation = Confirmation{a.fresh[fallback], a.fresh[choice.winner]};
  const bool had_time = !a.confirmation->winner.empty() && !a.confirmation->fallback.empty();
  if (!had_time) {
    a.confirmation = Confirmation{};
    if (!told_anew(a) && choice.gain->at_least() > clear_win_factor) {
      choice.rule = fmt::format(
          "{:.2f} times as fast as the default in the search; not confirmed within the budget, but more than "
          "{:g} times needs no confirmation",
          choice.gain->value, clear_win_factor);
      return true;
    }
    choice.rule = "the budget ended before a faster config was confirmed";
  } else {
    const Gain gain = gain_of(a.confirmation->fallback, a.confirmation->winner);
    if (is_faster(gain)) {
      choice.gain = gain;
      return true;
    }
    choice.rule = fmt::format("{} was not confirmed: in new processes {:.3f} times as fast as the default",
                              candidate_text(a.space.space[choice.winner]), gain.value);
  }
  choice.winner = fallback;
  choice.gain = gain_of({a.evaluations[fallback].samples}, {a.evaluations[fallback].samples});
  return had_time;
}

}  // namespace cfdmark::tuning
