#include "bench/compare/builds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "bench/case/case_record.hpp"
#include "bench/compare/build.hpp"
#include "bench/compare/comparison_text.hpp"
#include "bench/compare/differences.hpp"
#include "bench/compare/round.hpp"
#include "bench/compare/side_order.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/sweep/sweep.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "bench/tuned/tuned_table.hpp"
#include "bench/worker/interruption.hpp"

namespace cfdmark::compare {
namespace {

constexpr int first_look = 4;   // rounds; fewer do not show the spread between processes
constexpr double overrun = 10;  // seconds by which a round may exceed the budget

// A measured build and the results of its processes.
struct Measured {
  std::string label;  // "base", "new", "control"
  const Build* build;
  Json environment;
  Side side;
  std::unique_ptr<RecordWriter> kept;

  void add(const Json& line) {
    side.add(line);
    if (kept) kept->append(line);
  }
};

class Builds {
 public:
  Builds(const BuildsOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        base_(options.base),
        now_(options.now),
        rows_(rows_of_both(base_, now_)),
        order_(3, options.settings.seed),
        end_(seconds_now() + options.budget.value_or(0)) {
    for (const auto& [label, build] : {std::pair("base", &base_), {"new", &now_}, {"control", &base_}})
      sides_.push_back({label, build, build->environment(), Side(build->folder()), writer(label)});
    for (Measured& m : sides_) m.add(m.environment);
  }

  Compared run() {
    const std::vector<Case> cases = wanted_cases();
    for (const Case& c : cases)
      if (runs_everywhere(c)) open_.push_back(c);
    active_ = open_;
    refuse_early();
    for (int next_look = first_look; !active_.empty() && measure_until(next_look);
         next_look = look_after(next_look))
      look();
    for (const Case& c : open_)  // not reached within the budget
      for (Measured& m : sides_)
        if (!m.side.find(case_name(c))) m.side.add(noted(m, c, "ok", ""));
    Comparison last = compare();
    widen_same(last);
    add_rounds_needed(last);
    return {std::move(last), sides_[0].side, sides_[1].side, interruption_.requested()};
  }

 private:
  std::unique_ptr<RecordWriter> writer(const std::string& label) const {
    if (options_.keep.empty()) return nullptr;
    return std::make_unique<RecordWriter>(fmt::format("{}/{}.jsonl", options_.keep, label));
  }

  std::vector<Case> wanted_cases() const {
    const CaseFilter filter(options_.filter);
    std::vector<Case> cases = read_sweep(options_.sweep, {}, rows_).cases;
    std::erase_if(cases, [&](const Case& c) { return !filter.lets_through(c); });
    if (cases.empty())
      throw std::invalid_argument(fmt::format("no case matches --filter '{}'", options_.filter));
    // Both builds run the same config.
    tuning::use_tuned_configs(cases, tuning::read_usual_tuned_tables(), sides_[1].environment,
                              [this](const std::string& warning) { progress_.note(warning); });
    return cases;
  }

  // Returns true if the case can run on every side. Otherwise each side that has the row records why it
  // cannot run, or that it could: without a record, the row would count as vanished or new.
  bool runs_everywhere(const Case& c) {
    const auto can_run = [&](const Measured& m) {
      const std::string* reason = m.build->unavailable(c);
      return reason && reason->empty() && c.not_run.empty();
    };
    if (std::all_of(sides_.begin(), sides_.end(), can_run)) return true;
    for (Measured& m : sides_)
      if (const std::string* reason = m.build->unavailable(c)) {
        if (can_run(m))
          m.side.add(noted(m, c, "ok", ""));
        else
          m.add(noted(m, c, "not_run", c.not_run.empty() ? *reason : c.not_run));
      }
    return false;
  }

  // Returns a record without samples. With status ok it marks a case as able to run but not measured; such a
  // record is used only in memory, since it is not valid in a file.
  static Json noted(const Measured& m, const Case& c, const char* status, const std::string& reason) {
    return to_json(record_without_time(c, status, reason, m.environment.at("id")));
  }

  // Fails before minutes are spent on measuring what is not comparable.
  void refuse_early() const {
    if (!options_.settings.force) refuse(differences(sides_[0].side, sides_[1].side).refused);
  }

  static int look_after(int look) { return look + 2 * ((look / 2 + 2) / 2); }

  bool measure_until(int rounds) {
    while (rounds_ < rounds) {
      if (stopped() || rounds_ >= options_.most_rounds ||
          (options_.budget && seconds_now() + 2 * round_seconds(active_.size()) > end_))
        return false;
      const double start = seconds_now();
      const std::size_t cases = active_.size();
      for (int n = 0; n < 2; ++n)
        if (!round()) return false;
      case_seconds_ = (seconds_now() - start) / (2 * double(cases));
    }
    return true;
  }

  // Runs every side once. False if it was stopped.
  bool round() {
    ++rounds_;
    const std::vector<std::size_t>& order = order_.next();
    RoundPlan plan{{}, active_, options_.case_seconds, options_.timeout, [this](const std::string& what) {
                     progress_.working(fmt::format("round {}: {} cases, {}", rounds_, active_.size(), what));
                     return !stopped() && !(options_.budget && seconds_now() > end_ + overrun);
                   }};
    for (const std::size_t n : order)
      plan.sides.push_back(
          {sides_[n].build->worker_command(), &sides_[n].build->worker_rows(), sides_[n].environment});
    std::vector<std::vector<Record>> records = measure_round(plan);
    if (records.empty()) return false;
    for (std::size_t k = 0; k < order.size(); ++k)
      for (Record& record : records[k]) {
        record.round = rounds_;
        sides_[order[k]].add(to_json(record));
      }
    for (std::vector<Case>* cases : {&active_, &open_})
      std::erase_if(*cases, [&](const Case& c) { return went_wrong(c); });
    return true;
  }

  bool went_wrong(const Case& c) const {
    return std::any_of(sides_.begin(), sides_.end(), [&](const Measured& m) {
      const SideCase* found = m.side.find(case_name(c));
      return found && found->status() != "ok";
    });
  }

  // Estimated seconds of a round of these cases, on all sides.
  double round_seconds(std::size_t cases) const { return case_seconds_ * double(cases); }
  bool stopped() const { return interruption_.requested(); }

  Comparison compare() const {
    return compare_sides(sides_[0].side, sides_[1].side, &sides_[2].side, options_.settings, prior_looks_);
  }

  void look() {
    const Comparison c = compare();
    prior_looks_.learn(c);
    std::map<std::string, double> rounds_missing;  // for undecided cases
    for (const CaseComparison& one : c.cases)
      if (one.verdict == Verdict::undecided && !prior_looks_.decided.count(one.name))
        rounds_missing[one.name] = one.ratio ? missing(one, widest()) : 0;
    std::erase_if(open_, [&](const Case& one) { return !rounds_missing.count(case_name(one)); });
    choose_active(rounds_missing);
    progress_.note(fmt::format(
        "after {} rounds: {}{}", rounds_, counts_text(c),
        active_.size() < open_.size()
            ? fmt::format("; continuing with {} that the remaining time can decide", active_.size())
            : ""));
  }

  // Returns the remaining rounds until a case is decided, with this smallest effect.
  static double missing(const CaseComparison& c, double effect) {
    return std::max(0.0,
                    rounds_to_decide(*c.ratio, c.rounds, {.smallest_effect = effect}) - double(c.rounds));
  }
  // Returns the largest bound that a verdict `same` may have at the end.
  double widest() const {
    const CompareSettings& s = options_.settings;
    return s.strict ? s.rule.smallest_effect : std::max(s.rule.smallest_effect, s.rule.widest_same);
  }

  // Selects the cases to measure further: all but those that need more than `near` times the remaining
  // rounds. The factor is there because a few rounds estimate that number poorly.
  void choose_active(const std::map<std::string, double>& rounds_missing) {
    constexpr double near = 4;
    active_ = open_;
    if (!options_.budget || case_seconds_ == 0) return;
    const double rounds_left = (end_ - seconds_now()) / case_seconds_;
    std::erase_if(active_,
                  [&](const Case& c) { return rounds_missing.at(case_name(c)) > near * rounds_left; });
    if (active_.empty()) active_ = open_;
  }

  // Adds to each undecided case how many rounds would decide it.
  void add_rounds_needed(Comparison& c) const {
    for (CaseComparison& one : c.cases) {
      if (one.verdict != Verdict::undecided || !one.ratio || !one.reason.empty()) continue;
      const double rounds =
          double(one.rounds) + std::ceil(missing(one, options_.settings.rule.smallest_effect));
      one.reason =
          rounds <= options_.most_rounds
              ? fmt::format("about {:.0f} rounds are needed to decide; {} were measured", rounds, one.rounds)
              : fmt::format("not decidable here: {} rounds were measured, {:.0f} are needed", one.rounds,
                            rounds);
    }
  }

  const BuildsOptions& options_;
  Progress& progress_;
  Build base_, now_;
  std::vector<Row> rows_;
  Interruption interruption_;
  SideOrder order_;
  std::vector<Measured> sides_;  // base, new, control
  std::vector<Case> open_;       // undecided cases
  std::vector<Case> active_;     // those of them that are measured further
  PriorLooks prior_looks_;
  double end_, case_seconds_ = 0;  // `case_seconds_`: time of a case per round, on all sides together
  int rounds_ = 0;
};

}  // namespace

Compared compare_builds(const BuildsOptions& options, Progress& progress) {
  return Builds(options, progress).run();
}

}  // namespace cfdmark::compare
