#include "bench/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/compare/differences.hpp"
#include "bench/compare/matching.hpp"
#include "bench/compare/process_spread.hpp"
#include "bench/compare/record_facts.hpp"
#include "bench/text/hash.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {
namespace {

constexpr std::size_t fewest_rounds = 4;  // fewer do not show the spread between processes

bool is_change(Verdict verdict) { return verdict == Verdict::slower || verdict == Verdict::faster; }

double median_time(const Processes& processes) {
  std::vector<double> times;
  for (const Samples& samples : processes) times.push_back(step_time(samples, processes.size()));
  return median(times);
}

// Returns a seed per case, so that its result does not depend on other cases.
std::uint64_t seed_of(const std::string& name, std::uint64_t seed) {
  return seed ^ std::stoull(fingerprint(name), nullptr, 16);
}

std::string with_status(const SideCase& c) { return fmt::format("{}: {}", c.status(), c.reason()); }

bool went_wrong(const SideCase* c) { return c && c->status() != "ok" && c->status() != "not_run"; }
bool ran(const SideCase* c) { return c && c->status() == "ok"; }

struct Known {
  Verdict verdict;
  std::string reason;
};

// Returns the verdict that follows from the statuses alone; none if times decide.
std::optional<Known> without_times(const Match& m) {
  if (went_wrong(m.now))
    return Known{Verdict::wrong, with_status(*m.now) + (went_wrong(m.base) ? " (the base failed too)" : "")};
  if (ran(m.base) && !ran(m.now))
    return Known{Verdict::vanished, m.now ? m.now->reason() : "absent on the new side"};
  if (went_wrong(m.base))
    return Known{ran(m.now) ? Verdict::repaired : Verdict::not_run, "base: " + with_status(*m.base)};
  if (!ran(m.base) && ran(m.now))
    return Known{Verdict::added, m.base ? "base: " + m.base->reason() : "absent in the base"};
  if (!ran(m.base)) return Known{Verdict::not_run, (m.now ? m.now : m.base)->reason()};
  return std::nullopt;
}

// Returns the far end of the interval: the largest change that the data do not exclude.
double could_be(const Ratio& r) {
  const auto [low, high] = r.interval();
  return std::max(high, 1 / low) - 1;
}

// Judges the base against itself with the same rule as the new side. `moved` are the cases that differed at
// an earlier look.
Control judge_control(const std::vector<std::pair<std::string, Ratio>>& controls, const Rule& rule, int look,
                      std::set<std::string> moved) {
  std::vector<Ratio> ratios;
  std::vector<double> effects;
  for (const auto& [name, ratio] : controls) {
    ratios.push_back(ratio);
    effects.push_back(could_be(ratio));
  }
  const std::vector<Finding> findings = judge(ratios, rule, look);
  for (std::size_t n = 0; n < controls.size(); ++n)
    if (is_change(findings[n].verdict)) moved.insert(controls[n].first);
  return {std::move(moved), median(effects), *std::max_element(effects.begin(), effects.end())};
}

class Comparer {
 public:
  Comparer(const Side& base, const Side& now, const Side* control, const CompareSettings& settings,
           const PriorLooks& prior_looks)
      : base_(base), now_(now), control_(control), settings_(settings), prior_looks_(prior_looks) {}

  Comparison compare() {
    found_.base = base_.name(), found_.now = now_.name();
    found_.rule = settings_.rule, found_.seed = settings_.seed, found_.strict = settings_.strict;
    if (!now_.environments().empty()) {
      found_.time = text_fact(now_.environments().back(), "/time");
      found_.host = text_fact(now_.environments().back(), "/host/name_hash");
    }
    for (const Side* side : {&base_, &now_})
      found_.warnings.insert(found_.warnings.end(), side->warnings().begin(), side->warnings().end());
    const std::vector<Match> all = matches(base_, now_);
    refuse_or_warn(all);
    for (const Match& match : all) add(match);
    if (found_.cases.empty()) throw std::invalid_argument("no case to compare");
    if (!control_) {
      allow_for_processes();
      warn_of_pairing();
    }
    judge_times();
    if (control_) hold_against_control();
    sort_worst_first();
    return std::move(found_);
  }

 private:
  void refuse_or_warn(const std::vector<Match>& all) {
    Differences different = differences(base_, now_);
    for (const Match& m : all)
      if (!m.other_config.empty())
        different.refused.push_back(fmt::format("config of {}: {}", m.label, m.other_config));
    for (std::string& difference : thread_differences(all))
      different.refused.push_back(std::move(difference));
    if (!settings_.force) refuse(different.refused);
    for (const std::string& difference : different.refused)
      found_.warnings.push_back("not comparable, but compared because of --force: " + difference);
    for (const std::string& difference : different.noted) found_.warnings.push_back("differs: " + difference);
  }

  void add(const Match& match) {
    CaseComparison c{match.name, match.label};
    if (const auto known = without_times(match)) c.verdict = known->verdict, c.reason = known->reason;
    if (ran(match.base) && ran(match.now)) {
      c.quantities = quantity_changes(*match.base, *match.now, settings_.thresholds);
      add_times(c, match);
    }
    found_.cases.push_back(std::move(c));
  }

  void add_times(CaseComparison& c, const Match& match) {
    const CommonTimes times = common_times(*match.base, *match.now);
    for (const std::string& warning : times.warnings) found_.warnings.push_back(match.label + ": " + warning);
    c.reason = times.why_not;
    if (!c.reason.empty()) return;
    const std::optional<CommonTimes> again = times_again(match, times);
    c.ratio = estimate_ratio(times.base, times.now, seed_of(match.name, settings_.seed),
                             again ? &again->now : nullptr, times.pairing);
    c.base_seconds = median_time(times.base);
    c.now_seconds = median_time(times.now);
    c.rounds = times.base.size();
    if (const double base = process_error(processes_of_run(match.base->last())),
        now = process_error(processes_of_run(match.now->last()));
        c.rounds == 1 && base > 0 && now > 0)
      process_squares_.push_back(base * base + now * now);
    if (!c.ratio->error_is_known()) c.reason = "a single sample has no spread";
    if (control_ && c.rounds < fewest_rounds)
      c.reason = fmt::format("only {} rounds; at least {} are needed", c.rounds, fewest_rounds);
    if (!c.reason.empty()) c.ratio->degrees_of_freedom = 0;
    if (again)
      c.control = estimate_ratio(again->base, again->now, seed_of(match.name, settings_.seed + 1), nullptr,
                                 again->pairing);
  }

  // Returns the times of base and control, if they cover as many rounds as those of base and new.
  std::optional<CommonTimes> times_again(const Match& match, const CommonTimes& times) const {
    const SideCase* again = control_ ? control_->find(match.name) : nullptr;
    if (!ran(again)) return std::nullopt;
    CommonTimes same = common_times(*match.base, *again);
    if (!same.why_not.empty() || same.base.size() < 2 || same.base.size() != times.base.size() ||
        same.pairing != times.pairing)
      return std::nullopt;
    return same;
  }

  void allow_for_processes() {
    std::vector<Ratio*> single;
    for (CaseComparison& c : found_.cases)
      if (c.ratio && c.ratio->error_is_known() && c.rounds == 1) single.push_back(&*c.ratio);
    if (single.empty()) return;
    for (Ratio* ratio : single)
      ratio->standard_error = std::hypot(ratio->standard_error, typical_process_error());
    const double spread = add_process_spread(single);
    found_.warnings.push_back(fmt::format(
        "each side is one run, so a shift of a whole run (memory placement, other load) looks like a change; "
        "{}. More reliable: several files per side, measured alternately and given as folders, or "
        "`cfdmark compare --base BUILD --new BUILD SWEEP`",
        spread < 0
            ? fmt::format("fewer than {} cases are too few to estimate its size", fewest_for_spread)
            : fmt::format(
                  "the ratios of the cases spread by {:.1f} % more than their samples explain; the intervals "
                  "include this, but not a shift of all cases alike",
                  100 * spread)));
  }

  void warn_of_pairing() {
    if (base_.files() < 2) return;
    found_.warnings.push_back(fmt::format(
        "the {} files of each side are paired in the order of their names; unless they were measured "
        "alternately, a shift of all files of one side looks like a change",
        base_.files()));
  }

  // Returns the typical error of a ratio of runs, pooled over all cases with several processes on both sides,
  // since two processes say little about one case.
  double typical_process_error() const {
    double squares = 0;
    for (const double square : process_squares_) squares += square;
    return process_squares_.empty() ? 0 : std::sqrt(squares / double(process_squares_.size()));
  }

  void judge_times() {
    std::vector<CaseComparison*> timed;
    std::vector<Ratio> ratios;
    for (CaseComparison& c : found_.cases)
      if (c.ratio) timed.push_back(&c), ratios.push_back(*c.ratio);
    const std::vector<Finding> findings = judge(ratios, settings_.rule, prior_looks_.looks + 1);
    for (std::size_t n = 0; n < timed.size(); ++n) {
      const auto before = prior_looks_.decided.find(timed[n]->name);
      timed[n]->p = findings[n].p;
      timed[n]->verdict = before == prior_looks_.decided.end() ? findings[n].verdict : before->second;
      if (timed[n]->verdict == Verdict::same) timed[n]->same_within = settings_.rule.smallest_effect;
    }
  }

  void hold_against_control() {
    std::vector<std::pair<std::string, Ratio>> controls;
    for (const CaseComparison& c : found_.cases)
      if (c.control) controls.emplace_back(c.name, *c.control);
    if (controls.empty()) return;
    found_.control =
        judge_control(controls, settings_.rule, prior_looks_.looks + 1, prior_looks_.control_moved);
    if (found_.control->moved.empty()) return;
    const double visible = found_.control->visible_effect;
    found_.warnings.push_back(
        fmt::format("the machine is too noisy: the base differs from itself in {} of {} cases; only changes "
                    "above {:.1f} % are detectable",
                    found_.control->moved.size(), controls.size(), 100 * visible));
    for (CaseComparison& c : found_.cases) withdraw_if_within(c, visible);
  }

  static void withdraw_if_within(CaseComparison& c, double visible) {
    if (!is_change(c.verdict)) return;
    const auto [low, high] = c.ratio->interval();
    if (low > 1 + visible || high < 1 / (1 + visible)) return;
    c.reason = fmt::format("measured as {}, but in this run the base differs from itself as much",
                           to_string(c.verdict));
    c.verdict = Verdict::undecided;
  }

  void sort_worst_first() {
    const auto rank = [](const CaseComparison& c) {
      return c.regressed() && c.verdict > Verdict::slower ? Verdict::slower : c.verdict;
    };
    const auto log = [](const CaseComparison& c) { return c.ratio ? c.ratio->log : 0; };
    std::stable_sort(found_.cases.begin(), found_.cases.end(), [&](const auto& a, const auto& b) {
      return rank(a) != rank(b) ? rank(a) < rank(b) : log(a) > log(b);
    });
  }

  const Side &base_, &now_;
  const Side* control_;
  const CompareSettings& settings_;
  const PriorLooks& prior_looks_;
  std::vector<double> process_squares_;  // squared errors of the ratios of runs
  Comparison found_;
};

}  // namespace

void PriorLooks::learn(const Comparison& c) {
  ++looks;
  if (c.control) control_moved = c.control->moved;
  for (const CaseComparison& one : c.cases)
    if (is_change(one.verdict) || one.verdict == Verdict::same) decided[one.name] = one.verdict;
}

Comparison compare_sides(const Side& base, const Side& now, const Side* control,
                         const CompareSettings& settings, const PriorLooks& prior_looks) {
  return Comparer(base, now, control, settings, prior_looks).compare();
}

}  // namespace cfdmark::compare
