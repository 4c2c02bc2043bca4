#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>

#include "bench/measure/seconds_now.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/run/ask_worker.hpp"
#include "bench/run/interruption.hpp"
#include "bench/sweep/duration.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/tune/finals.hpp"
#include "bench/tune/resident_limit.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/tuned_table.hpp"
#include "kernels/backends/host_memory.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

// Of a budget, for one grid and for several; the rest confirms what was found, at several grids more of it.
constexpr double share_of_search = 0.85, share_of_searches = 0.7;
// Of what is left of it then, and seconds at most, for compiling before the first search: a group of configs
// that is measured side by side would wait for the slowest of its own.
constexpr double share_of_compiling = 0.3, longest_compiling = 600;
// Of each grid that was searched these are tried first at the next.
constexpr std::size_t best_elsewhere = 3;

class Tune {
 public:
  Tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, TuneSession& session,
       Progress& progress)
      : options_(options),
        session_(session),
        progress_(progress),
        start_(seconds_now()),
        strategy_(find_strategy(options.strategy)),
        subjects_(by_cells(subjects)),
        note_{{"strategy", options.strategy}, {"seed", options.seed}, {"scope", options.scope}} {
    find_spaces();
  }

  TuneResult run() {
    describe();
    if (!interrupted()) compile_all();
    search_all();
    if (!interrupted()) choose_all();
    if (!interrupted()) keep_answers();
    session_.sync();
    if (result_.unkept.empty()) result_.unkept = session_.unwritten();
    result_.interrupted = interrupted();
    progress_.clear();
    return std::move(result_);
  }

 private:
  bool interrupted() const { return session_.interruption().requested(); }

  static std::vector<TuneSubject> by_cells(std::vector<TuneSubject> subjects) {
    for (const TuneSubject& s : subjects)
      if (s.grid.is_3d() != subjects.front().grid.is_3d())
        throw std::invalid_argument(
            fmt::format("{} and {} are of different dimensions: tune them one after the other",
                        grid_text(subjects.front().grid), grid_text(s.grid)));
    std::stable_sort(subjects.begin(), subjects.end(), [](const TuneSubject& a, const TuneSubject& b) {
      return a.grid.cells() < b.grid.cells();
    });
    return subjects;
  }

  // A grid on which nothing can run is left out where that was asked for and another is left.
  void find_spaces() {
    std::string reason;
    const auto cannot = [&](const TuneSubject& s) {
      try {
        spaces_.push_back(tune_space(s, available_host_memory(), options_.against));
        return false;
      } catch (const std::invalid_argument& e) {
        if (!options_.leave_out) throw;
        reason = e.what();
        result_.left_out.push_back(s.grid);
        return true;
      }
    };
    std::erase_if(subjects_, cannot);
    if (subjects_.empty()) throw std::invalid_argument(reason);
  }

  double seconds_left() const {
    return options_.budget ? *options_.budget - (seconds_now() - start_)
                           : std::numeric_limits<double>::infinity();
  }

  void describe() {
    if (session_.description(keep_going_).is_null()) {
      if (interrupted()) return;
      fail_too_small("the machine had said what it is");
    }
    const TuneSpace& space = spaces_.front();
    const RoofKey key = roof_key(space.cases.at(space.space.fallback()));
    environment_ = session_.environment(options_.measure_roof ? &key : nullptr, keep_going_, progress_);
    result_.environment = environment_;
    result_.device = tuning_device(environment_, device_of(spaces_.front().cases.front()));
    if (options_.aim == Aim::energy) check_energy();
    if (!options_.tuned_folder.empty() && !options_.each_alone)
      check_tuned_table(options_.tuned_folder, result_.device);
  }

  // Before minutes of searching for what cannot be weighed.
  void check_energy() {
    const TuneSpace& space = spaces_.back();
    TuneRunner runner(space, context());
    const std::string reason = runner.weigh({space.space.fallback()}, options_.timeout);
    if (!reason.empty() && !interrupted())
      throw std::invalid_argument(fmt::format("--objective energy: no energy can be read here: {}", reason));
  }

  TuneContext context() { return {environment_, note_, session_, progress_}; }

  // Each config once: its code is seldom another on another grid. In random order, since time may end it.
  void compile_all() {
    std::vector<Case> cases;
    std::set<std::string> known;
    for (const TuneSpace& space : spaces_)
      for (std::size_t n = 0; n < space.cases.size(); ++n)
        if (space.cases[n].row->device_code && known.insert(candidate_text(space.space[n])).second)
          cases.push_back(space.cases[n]);
    if (cases.empty()) return;
    Random(options_.seed).shuffle(cases);
    const Answer answer =
        ask_to_compile(session_.supervisor(), cases,
                       std::min(share_of_compiling * seconds_left(), longest_compiling), keep_going_);
    if (answer.end != Answer::End::done && answer.end != Answer::End::stopped)
      progress_.note(fmt::format("compiling ahead ended early: {}", answer.reason));
  }

  // What is known to be fast: elsewhere, and on the grids that were searched before.
  std::vector<std::size_t> to_try_first(std::size_t n,
                                        const std::vector<std::optional<TuneAnswer>>& found) const {
    std::vector<Candidate> candidates = subjects_[n].beside;
    for (const std::optional<TuneAnswer>& a : found) {
      if (!a) continue;
      const std::vector<std::size_t> fastest = fastest_of(*a);
      for (std::size_t k = 0; k < std::min(best_elsewhere, fastest.size()); ++k)
        candidates.push_back(a->space.space[fastest[k]]);
    }
    std::vector<std::size_t> first;
    for (const Candidate& candidate : candidates)
      if (const auto place = spaces_[n].space.find(candidate);
          place && std::find(first.begin(), first.end(), *place) == first.end())
        first.push_back(*place);
    return first;
  }

  // For the next search; `left` are still to come.
  double search_seconds(std::size_t left) const {
    if (!options_.budget) return std::numeric_limits<double>::infinity();
    const double share = spaces_.size() == 1 ? share_of_search : share_of_searches;
    return std::max(seconds_left() - (1 - share) * *options_.budget, seconds_left() / 2) / double(left);
  }

  // A grid whose time was over before one config was measured has another turn at the end: by then code is
  // compiled, and others may have left time.
  void search_all() {
    std::vector<std::optional<TuneAnswer>> found(spaces_.size());
    std::vector<std::string> reasons(spaces_.size());
    runners_.resize(spaces_.size());
    std::vector<std::size_t> left(spaces_.size()), again;
    std::iota(left.begin(), left.end(), std::size_t(0));
    for (std::size_t k = 0; k < left.size() && !interrupted(); ++k)
      if (search(left[k], left.size() - k, found, reasons[left[k]])) again.push_back(left[k]);
    for (std::size_t k = 0; k < again.size() && !interrupted() && seconds_left() > 0; ++k)
      search(again[k], again.size() - k, found, reasons[again[k]]);
    if (interrupted()) return;
    std::vector<std::unique_ptr<TuneRunner>> runners;
    for (std::size_t n = 0; n < found.size(); ++n)
      if (found[n]) {
        result_.answers.push_back(std::move(*found[n]));
        runners.push_back(std::move(runners_[n]));
      } else {
        progress_.note(fmt::format("{} is left out: {}", grid_text(subjects_[n].grid), reasons[n]));
      }
    runners_ = std::move(runners);
    if (!result_.answers.empty()) return;
    if (!again.empty()) throw BudgetOver(reasons[again.front()]);
    throw std::runtime_error(reasons.back());
  }

  // `left` searches are still to come, with this one. Adds an answer, or gives the reason why there is none;
  // says whether more time might give one.
  bool search(std::size_t n, std::size_t left, std::vector<std::optional<TuneAnswer>>& found,
              std::string& reason) {
    const TuneSpace& space = spaces_[n];
    if (!runners_[n] && !options_.leave_out) write_excluded(space);
    runners_[n] = std::make_unique<TuneRunner>(space, context());
    TuneRunner& runner = *runners_[n];
    SearchOptions options;
    options.budget = search_seconds(left);
    options.seed = options_.seed + n;  // where time is short each grid tries others
    options.first = to_try_first(n, found);
    options.samples = options_.samples;
    const double start = seconds_now();
    Search search(space.space, std::ref(runner), options);
    if (options.budget > 0) strategy_.run(search);

    TuneAnswer answer{space,
                      subjects_[n].weight,
                      subjects_[n].beside,
                      search.evaluations(),
                      {},
                      std::vector<ProcessSamples>(space.cases.size()),
                      std::nullopt,
                      std::nullopt,
                      seconds_now() - start};
    for (std::size_t c = 0; c < space.cases.size(); ++c) answer.records.push_back(runner.record(c));
    const bool over = search.over() || options.budget <= 0;
    reason = check_answer(answer, over);
    if (reason.empty())
      found[n] = std::move(answer);
    else if (!over)
      result_.left_out.push_back(subjects_[n].grid);
    return !reason.empty() && over;
  }

  // A config that a constraint leaves out is an evaluation too: the recorded space is then the whole one. Not
  // of many tunes, where these would be most of the file.
  void write_excluded(const TuneSpace& space) {
    for (const Case& c : space.excluded) {
      Json record = record_of(c, "not_run", c.not_run);
      record["environment"] = environment_.at("id");
      record["tuning"] = note_;
      record["tuning"]["status"] = to_string(TrialStatus::constraint);
      session_.keep(record, progress_);
    }
  }

  // Why a grid has no answer and is left out; empty if it has one.
  std::string check_answer(const TuneAnswer& answer, bool over) const {
    if (interrupted()) return "";
    std::string last_reason;
    for (const Evaluation& e : answer.evaluations) {
      if (!e.samples.empty()) return "";
      if (!e.reason.empty()) last_reason = e.reason;
    }
    if (over && !options_.leave_out) fail_too_small("one config was measured");
    const std::string reason =
        over ? "its time was over before one config was measured"
             : fmt::format("none of {} configs on {} works; the last: {}", answer.evaluations.size(),
                           grid_text(answer.space.cases.front().grid), last_reason);
    if (!options_.leave_out) throw std::runtime_error(reason);
    return reason;
  }

  [[noreturn]] void fail_too_small(const char* before) const {
    throw BudgetOver(fmt::format("the budget of {} was over before {}: give it more time, or --no-roof",
                                 seconds_text(*options_.budget), before));
  }

  // Each answer knows the others' by then: a config's registers, and how it does on the other grids.
  void choose_all() {
    const AcrossSizes across(result_.answers);
    for (std::size_t n = 0; n < result_.answers.size(); ++n) {
      TuneAnswer& a = result_.answers[n];
      a.choice = choose(a.space.space, a.evaluations, across.traits(n));
    }
    measure_finalists(result_.answers, across,
                      {runners_, options_, session_, [this] { return seconds_left(); }});
    if (interrupted()) return;
    for (TuneAnswer& a : result_.answers) confirm(a);
    if (options_.each_alone) return;
    const std::vector<SizeTimes> sizes = aimed_sizes(across);
    for (const SizeRange& r : options_.one_answer ? choose_one(sizes) : choose_ranges(sizes)) {
      result_.ranges.push_back({r, across[r.winner], regime_of(sizes, r)});
      if (options_.aim != Aim::time)
        result_.ranges.back().sizes.rule = aimed_rule(options_.aim, r.winner == sizes[r.last].fallback);
    }
    end_where_winners_fit(result_.ranges, result_.answers, environment_);
  }

  std::vector<SizeTimes> aimed_sizes(const AcrossSizes& across) const {
    std::vector<SizeTimes> sizes = across.confirmed();
    for (std::size_t n = 0; n < sizes.size() && options_.aim != Aim::time; ++n) {
      std::vector<std::optional<double>> quantities(across.size());
      for (std::size_t c = 0; c < across.size(); ++c)
        if (const auto place = across.at(n, c))
          quantities[c] = aimed_quantity(result_.answers[n].records[*place], options_.aim);
      sizes[n] = aimed(sizes[n], quantities, options_.aim);
    }
    return sizes;
  }

  static std::string regime_of(const std::vector<SizeTimes>& sizes, const SizeRange& r) {
    const CacheRegime one = cache_regime(sizes[r.first].filled);
    return one == cache_regime(sizes[r.last].filled) ? to_string(one) : "";
  }

  // The answers are worth more than the file: what cannot be written is told beside them.
  void keep_answers() try {
    if (options_.tuned_folder.empty() || options_.each_alone) return;
    std::vector<Json> entries;
    for (const TuneRange& r : result_.ranges) entries.push_back(tuned_entry(result_, r, options_));
    result_.table = update_tuned_table(options_.tuned_folder, result_.device, entries);
  } catch (const WriteError& e) {
    result_.unkept = e.what();
  }

  const TuneOptions& options_;
  TuneSession& session_;
  Progress& progress_;
  double start_;
  const Strategy& strategy_;
  std::vector<TuneSubject> subjects_;
  std::vector<TuneSpace> spaces_;                     // of the subjects
  std::vector<std::unique_ptr<TuneRunner>> runners_;  // one an answer
  Json note_;                                         // the `tuning` of every record
  Json environment_;
  TuneResult result_;
  const KeepGoing keep_going_ = [this](const std::string& what) {
    progress_.working(what);
    return !interrupted() && seconds_left() > 0;
  };
};

}  // namespace

TuneResult tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, TuneSession& session,
                Progress& progress) {
  return Tune(subjects, options, session, progress).run();
}

TuneResult tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, Progress& progress) {
  TuneSession session(options);
  return tune(subjects, options, session, progress);
}

}  // namespace cfdmark::tuning
