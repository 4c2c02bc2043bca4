#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
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
#include "bench/tune/runner.hpp"
#include "bench/tune/tuned_table.hpp"
#include "kernels/backends/host_memory.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

constexpr int confirming_processes = 2;
// Of a budget, for one grid and for several; the rest confirms what was found, at several grids more of it.
constexpr double share_of_search = 0.85, share_of_searches = 0.7;
// Seconds that the confirmation of a grid gets even where the search left less: an answer that was not
// confirmed is none.
constexpr double least_to_confirm = 2;

class Tune {
 public:
  Tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        start_(seconds_now()),
        strategy_(find_strategy(options.strategy)),
        subjects_(by_cells(subjects)),
        spaces_(spaces_of(subjects_, options.against)),
        writer_(options.output),
        supervisor_(options.worker, timeout(options)),
        note_{{"strategy", options.strategy}, {"seed", options.seed}, {"scope", options.scope}} {}

  TuneResult run() {
    describe();
    for (std::size_t n = 0; n < spaces_.size() && !interruption_.requested(); ++n) search(n);
    if (!interruption_.requested()) choose_all();
    if (!interruption_.requested()) keep_answers();
    writer_.sync();
    result_.interrupted = interruption_.requested();
    progress_.clear();
    return std::move(result_);
  }

 private:
  // A config that hangs may cost a quarter of a budget, not all of it; but no sound one is mistaken for it.
  static double timeout(const TuneOptions& options) {
    return options.budget ? std::min(options.timeout, std::max(1.0, *options.budget / 4)) : options.timeout;
  }

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

  static std::vector<TuneSpace> spaces_of(const std::vector<TuneSubject>& subjects,
                                          const std::optional<Candidate>& against) {
    std::vector<TuneSpace> spaces;
    for (const TuneSubject& s : subjects) spaces.push_back(tune_space(s, available_host_memory(), against));
    return spaces;
  }

  double seconds_left() const {
    return options_.budget ? *options_.budget - (seconds_now() - start_)
                           : std::numeric_limits<double>::infinity();
  }

  void describe() {
    Json description;
    const Answer answer = ask_for_description(supervisor_, description, keep_going_);
    if (description.is_null()) {
      if (answer.end == Answer::End::stopped) fail_too_small("the machine had said what it is");
      throw std::runtime_error(fmt::format("cannot tune here: {}", answer.reason));
    }
    environment_ = environment_line(description, options_.measure_roof ? roofs() : Json::array());
    writer_.append(environment_);
    result_.environment = environment_;
    result_.device = tuning_device(environment_, device_of(spaces_.front().cases.front()));
    if (!options_.tuned_folder.empty()) check_tuned_table(options_.tuned_folder, result_.device);
  }

  Json roofs() {
    const TuneSpace& space = spaces_.front();
    return ask_for_roof(supervisor_, roof_key(space.cases.at(space.space.fallback())), keep_going_,
                        [this](const std::string& why) { progress_.note(why); });
  }

  // For the next search; `left` are still to come.
  double search_seconds(std::size_t left) const {
    if (!options_.budget) return std::numeric_limits<double>::infinity();
    const double share = spaces_.size() == 1 ? share_of_search : share_of_searches;
    return std::max(seconds_left() - (1 - share) * *options_.budget, seconds_left() / 2) / double(left);
  }

  void search(std::size_t n) {
    const TuneSpace& space = spaces_[n];
    write_excluded(space);
    runners_.push_back(std::make_unique<TuneRunner>(
        space, TuneContext{environment_, note_, supervisor_, writer_, progress_, interruption_}));
    TuneRunner& runner = *runners_.back();
    SearchOptions options;
    options.budget = search_seconds(spaces_.size() - n);
    options.seed = options_.seed;
    options.samples = options_.samples;
    const double start = seconds_now();
    Search search(space.space, std::ref(runner), options);
    if (options.budget > 0) strategy_.run(search);

    TuneAnswer answer{space,
                      subjects_[n].weight,
                      search.evaluations(),
                      {},
                      std::vector<ProcessSamples>(space.cases.size()),
                      std::nullopt,
                      std::nullopt,
                      seconds_now() - start};
    for (std::size_t c = 0; c < space.cases.size(); ++c) answer.records.push_back(runner.record(c));
    check_answer(answer, search.over() || options.budget <= 0);
    result_.answers.push_back(std::move(answer));
  }

  // A config that a constraint leaves out is an evaluation too: the recorded space is then the whole one.
  void write_excluded(const TuneSpace& space) {
    for (const Case& c : space.excluded) {
      Json record = record_of(c, "not_run", c.not_run);
      record["environment"] = environment_.at("id");
      record["tuning"] = note_;
      record["tuning"]["status"] = to_string(TrialStatus::constraint);
      writer_.append(record);
    }
  }

  void check_answer(const TuneAnswer& answer, bool over) const {
    if (interruption_.requested()) return;
    std::string last_reason;
    for (const Evaluation& e : answer.evaluations) {
      if (!e.samples.empty()) return;
      if (!e.reason.empty()) last_reason = e.reason;
    }
    if (over) fail_too_small("one config was measured");
    throw std::runtime_error(fmt::format("none of {} configs on {} works; the last: {}",
                                         answer.evaluations.size(),
                                         grid_text(answer.space.cases.front().grid), last_reason));
  }

  [[noreturn]] void fail_too_small(const char* before) const {
    throw std::invalid_argument(
        fmt::format("the budget of {} was over before {}: give it more time, or --no-roof",
                    seconds_text(*options_.budget), before));
  }

  // Each answer knows the others' by then: a config's registers, and how it does on the other grids.
  void choose_all() {
    const AcrossSizes across(result_.answers);
    for (std::size_t n = 0; n < result_.answers.size(); ++n) {
      TuneAnswer& a = result_.answers[n];
      a.choice = choose(a.space.space, a.evaluations, across.traits(n));
    }
    measure_finalists(across);
    if (interruption_.requested()) return;
    for (TuneAnswer& a : result_.answers) confirm(a);
    const std::vector<SizeTimes> sizes = across.confirmed();
    for (const SizeRange& r : options_.one_answer ? choose_one(sizes) : choose_ranges(sizes))
      result_.ranges.push_back({r, across[r.winner], regime_of(sizes, r)});
  }

  static std::string regime_of(const std::vector<SizeTimes>& sizes, const SizeRange& r) {
    const CacheRegime one = cache_regime(sizes[r.first].filled);
    return one == cache_regime(sizes[r.last].filled) ? to_string(one) : "";
  }

  // What may be the answer at several sizes is measured at each of them, in processes that know nothing of
  // the searches: the samples that made a winner flatter it.
  void measure_finalists(const AcrossSizes& across) {
    std::size_t left = result_.answers.size();
    for (const std::vector<std::size_t>& group : across.groups(options_.one_answer)) {
      const std::set<std::size_t> wanted = across.finalists_of(group, options_);
      for (const std::size_t n : group) measure_anew(n, across, wanted, left--);
    }
  }

  // `left`: sizes that still want a share of the budget. Where a process does not tell the default's time it
  // tells nothing.
  void measure_anew(std::size_t n, const AcrossSizes& across, const std::set<std::size_t>& wanted,
                    std::size_t left) {
    TuneAnswer& a = result_.answers[n];
    const std::size_t fallback = a.space.space.fallback();
    const auto may_have_a_time = [&](std::size_t c) {
      return a.evaluations[c].ok() || a.evaluations[c].status == TrialStatus::not_tried;
    };
    std::vector<std::size_t> candidates;
    for (const std::size_t w : wanted)
      if (const auto c = across.at(n, w); c && may_have_a_time(*c)) candidates.push_back(*c);
    if (candidates.size() < 2) return;
    const double end = seconds_now() + std::max(seconds_left() / double(left), least_to_confirm);
    const bool has_default = a.evaluations[fallback].ok();
    for (int process = 0; process < confirming_processes && !interruption_.requested(); ++process) {
      supervisor_.end_worker();
      const auto trials = (*runners_[n])(candidates, std::max(options_.samples / confirming_processes, 1),
                                         end - seconds_now());
      const std::size_t at =
          std::size_t(std::find(candidates.begin(), candidates.end(), fallback) - candidates.begin());
      if (has_default && (at == candidates.size() || trials[at].samples.empty())) break;
      for (std::size_t k = 0; k < candidates.size(); ++k)
        if (!trials[k].samples.empty()) a.fresh[candidates[k]].push_back(trials[k].samples);
    }
    // What some process could not tell is not known.
    std::size_t most = 0;
    for (const ProcessSamples& p : a.fresh) most = std::max(most, p.size());
    for (ProcessSamples& p : a.fresh)
      if (p.size() < most) p.clear();
    for (const std::size_t c : candidates) a.records[c] = runners_[n]->record(c);
  }

  // A winner that is not surely faster than the default in fresh processes too was only lucky, and the
  // default stays. The gain is what those processes saw.
  static void confirm(TuneAnswer& a) {
    const std::size_t fallback = a.space.space.fallback();
    Selection& choice = a.choice.value();
    if (choice.winner == fallback || !choice.gain) return;
    a.confirmation = Confirmation{a.fresh[fallback], a.fresh[choice.winner]};
    if (a.confirmation->winner.empty() || a.confirmation->fallback.empty()) {
      a.confirmation = Confirmation{};
      choice.rule = "the budget was over before a fresh process could confirm a faster one";
    } else {
      const Gain gain = gain_of(a.confirmation->fallback, a.confirmation->winner);
      if (is_faster(gain)) {
        choice.gain = gain;
        return;
      }
      choice.rule =
          fmt::format("{} was not confirmed in fresh processes: {:.3f} times as fast as the default",
                      candidate_text(a.space.space[choice.winner]), gain.value);
    }
    choice.winner = fallback;
    choice.gain = gain_of({a.evaluations[fallback].samples}, {a.evaluations[fallback].samples});
  }

  // The answers are worth more than the file: what cannot be written is told beside them.
  void keep_answers() try {
    if (options_.tuned_folder.empty()) return;
    std::vector<Json> entries;
    for (const TuneRange& r : result_.ranges) entries.push_back(tuned_entry(result_, r, options_));
    result_.table = update_tuned_table(options_.tuned_folder, result_.device, entries);
  } catch (const WriteError& e) {
    result_.unkept = e.what();
  }

  const TuneOptions& options_;
  Progress& progress_;
  double start_;
  const Strategy& strategy_;
  std::vector<TuneSubject> subjects_;
  std::vector<TuneSpace> spaces_;
  Interruption interruption_;
  RecordWriter writer_;
  Supervisor supervisor_;
  std::vector<std::unique_ptr<TuneRunner>> runners_;  // one a space
  Json note_;                                         // the `tuning` of every record
  Json environment_;
  TuneResult result_;
  const KeepGoing keep_going_ = [this](const std::string& what) {
    progress_.working(what);
    return !interruption_.requested() && seconds_left() > 0;
  };
};

}  // namespace

TuneResult tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, Progress& progress) {
  return Tune(subjects, options, progress).run();
}

}  // namespace cfdmark::tuning
