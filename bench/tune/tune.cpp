#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

#include "bench/measure/seconds_now.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/run/ask_worker.hpp"
#include "bench/run/interruption.hpp"
#include "bench/sweep/duration.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/tuned_table.hpp"
#include "kernels/backends/host_memory.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

constexpr int confirming_processes = 2;
constexpr double share_of_search = 0.85;  // of a budget; the rest confirms what was found
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
        spaces_(spaces_of(subjects)),
        writer_(options.output),
        supervisor_(options.worker, timeout(options)),
        note_{{"strategy", options.strategy}, {"seed", options.seed}, {"scope", options.scope}} {}

  TuneResult run() {
    describe();
    for (std::size_t n = 0; n < spaces_.size() && !interruption_.requested(); ++n) search(n);
    choose_all();
    for (std::size_t n = 0; n < result_.answers.size(); ++n) confirm(n);
    keep_answers();
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

  static std::vector<TuneSpace> spaces_of(const std::vector<TuneSubject>& subjects) {
    std::vector<TuneSpace> spaces;
    for (const TuneSubject& s : subjects) spaces.push_back(tune_space(s, available_host_memory()));
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

  void search(std::size_t n) {
    const TuneSpace& space = spaces_[n];
    write_excluded(space);
    runners_.push_back(std::make_unique<TuneRunner>(
        space, TuneContext{environment_, note_, supervisor_, writer_, progress_, interruption_}));
    TuneRunner& runner = *runners_.back();
    SearchOptions options;
    options.budget = share_of_search * seconds_left() / double(spaces_.size() - n);
    options.seed = options_.seed;
    options.samples = options_.samples;
    const double start = seconds_now();
    Search search(space.space, std::ref(runner), options);
    if (options.budget > 0) strategy_.run(search);

    TuneAnswer answer{space, search.evaluations(), {}, std::nullopt, std::nullopt, seconds_now() - start};
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
    for (std::size_t n = 0; n < result_.answers.size(); ++n) {
      TuneAnswer& a = result_.answers[n];
      a.choice = choose(a.space.space, a.evaluations, traits(n));
    }
  }

  // A winner that is not surely faster than the default in fresh processes too was only lucky, and the
  // default stays. The gain is what those processes saw.
  void confirm(std::size_t n) {
    TuneAnswer& a = result_.answers[n];
    const std::size_t fallback = a.space.space.fallback();
    if (!a.choice || a.choice->winner == fallback || !a.choice->gain || interruption_.requested()) return;
    a.confirmation = measure_anew(*runners_[n], fallback, a.choice->winner);
    for (const std::size_t c : {fallback, a.choice->winner}) a.records[c] = runners_[n]->record(c);
    Selection& choice = *a.choice;
    if (a.confirmation->winner.empty()) {
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

  // Where a process does not tell both, it tells neither.
  Confirmation measure_anew(TuneRunner& runner, std::size_t fallback, std::size_t winner) {
    Confirmation found;
    const double end = seconds_now() + std::max(seconds_left(), least_to_confirm);
    for (int process = 0; process < confirming_processes; ++process) {
      supervisor_.end_worker();
      const auto trials = runner({fallback, winner}, std::max(options_.samples / confirming_processes, 1),
                                 end - seconds_now());
      if (trials[0].samples.empty() || trials[1].samples.empty()) break;
      found.fallback.push_back(trials[0].samples);
      found.winner.push_back(trials[1].samples);
    }
    return found;
  }

  // The answers are worth more than the file: what cannot be written is told beside them.
  void keep_answers() try {
    if (options_.tuned_folder.empty() || interruption_.requested()) return;
    std::vector<Json> entries;
    for (const TuneAnswer& a : result_.answers) entries.push_back(tuned_entry(result_, a, options_));
    result_.table = update_tuned_table(options_.tuned_folder, result_.device, entries);
  } catch (const WriteError& e) {
    result_.unkept = e.what();
  }

  std::vector<Traits> traits(std::size_t n) const {
    std::vector<Traits> all(result_.answers[n].records.size());
    for (std::size_t c = 0; c < all.size(); ++c) {
      const Json& record = result_.answers[n].records[c];
      if (!record.is_null() && record.contains("resources"))
        for (const Json& kernel : record["resources"].value("kernels", Json::array()))
          all[c].registers = std::max(all[c].registers, kernel.value("registers", 0));
      all[c].worst_elsewhere = worst_elsewhere(n, result_.answers[n].space.space[c]);
    }
    return all;
  }

  double worst_elsewhere(std::size_t n, const Candidate& candidate) const {
    double worst = 1;
    for (std::size_t other = 0; other < result_.answers.size(); ++other)
      if (other != n) worst = std::max(worst, relative_time(result_.answers[other], candidate));
    return worst;
  }

  // Over the best there; infinite if it has no time there.
  static double relative_time(const TuneAnswer& there, const Candidate& candidate) {
    double best = std::numeric_limits<double>::infinity(), own = best;
    for (std::size_t c = 0; c < there.evaluations.size(); ++c) {
      if (there.evaluations[c].samples.empty()) continue;
      const double time = median(there.evaluations[c].samples);
      best = std::min(best, time);
      if (there.space.space[c] == candidate) own = time;
    }
    return own / best;
  }

  const TuneOptions& options_;
  Progress& progress_;
  double start_;
  const Strategy& strategy_;
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
