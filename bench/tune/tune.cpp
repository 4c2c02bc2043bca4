#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

#include "bench/record/environment.hpp"
#include "bench/record/records.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/tune/confirmation.hpp"
#include "bench/tune/resident_limit.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/searches.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "bench/tuned/tuned_table.hpp"
#include "bench/worker/interruption.hpp"

namespace cfdmark::tuning {
namespace {

class Tune {
 public:
  Tune(const std::vector<TuningTarget>& targets, const TuneOptions& options, TuneSession& session,
       Progress& progress)
      : options_(options),
        session_(session),
        progress_(progress),
        start_(seconds_now()),
        methods_(targets.front().methods),
        searches_(targets,
                  {options, result_.environment, session, progress, [this] { return seconds_left(); }}) {}

  TuneResult run() {
    describe();
    if (!interrupted()) make_ready();
    SearchedSizes found = searches_.run();
    result_.answers = std::move(found.answers);
    result_.left_out = std::move(found.left_out);
    result_.left = std::move(found.left);
    if (!interrupted()) choose_winners(found.runners);
    if (!interrupted() && !options_.each_alone) choose_all_ranges();
    if (!interrupted()) keep_answers();
    session_.sync();
    if (result_.unkept.empty()) result_.unkept = session_.unwritten();
    result_.interrupted = interrupted();
    progress_.clear();
    return std::move(result_);
  }

 private:
  bool interrupted() const { return session_.interruption().requested(); }

  double seconds_left() const {
    return options_.budget ? *options_.budget - (seconds_now() - start_)
                           : std::numeric_limits<double>::infinity();
  }

  // Starts processes and compiles device code ahead, which would otherwise delay measurements.
  void make_ready() {
    Supervisor& supervisor = session_.supervisor();
    const Case& first = searches_.spaces().front().cases.front();
    supervisor.prestart(confirming_processes, request_to_stand_by(device_of(first)));
    searches_.compile(keep_going_);
    supervisor.wait_for_standby([this] { return keep_going_("starting the confirming processes"); });
  }

  void describe() {
    if (session_.description(keep_going_).is_null()) {
      if (interrupted()) return;
      fail_too_small(options_, "the device queries finished");
    }
    const TuneSpace& space = searches_.spaces().front();
    const RoofKey key = roof_key(space.cases.at(space.space.fallback()));
    result_.environment =
        session_.environment(options_.measure_roof ? &key : nullptr, keep_going_, progress_);
    result_.device = tuning_device(result_.environment, device_of(searches_.spaces().front().cases.front()));
    if (options_.objective == Objective::energy) check_energy();
    if (!options_.tuned_folder.empty() && !options_.each_alone)
      check_tuned_table(options_.tuned_folder, result_.device, space.cases.front().row->name);
  }

  // Fails early if energy cannot be measured.
  void check_energy() {
    const TuneSpace& space = searches_.spaces().back();
    TuneRunner runner(space, searches_.context());
    const std::string reason = runner.weigh({space.space.fallback()}, options_.timeout);
    if (!reason.empty() && !interrupted())
      throw std::invalid_argument(fmt::format("--objective energy: cannot read energy: {}", reason));
  }

  // Ties are broken by registers and by the times on the other grids, so all searches come first.
  void choose_winners(const std::vector<std::unique_ptr<TuneRunner>>& runners) {
    const AcrossSizes across(result_.answers);
    for (std::size_t n = 0; n < result_.answers.size(); ++n) {
      TuneAnswer& a = result_.answers[n];
      a.choice = choose(a.space.space, a.evaluations, across.traits(n));
    }
    measure_finalists(result_.answers, across,
                      {runners, options_, session_, [this] { return seconds_left(); }});
    if (interrupted()) return;
    // A size that was not requested, and is not confirmed, would only split the range of its neighbours.
    std::vector<TuneAnswer> told;
    for (TuneAnswer& a : result_.answers)
      if (confirm(a) || !a.is_between) told.push_back(std::move(a));
    result_.answers = std::move(told);
  }

  void choose_all_ranges() {
    const AcrossSizes across(result_.answers);
    const std::vector<SizeTimes> sizes = objective_sizes(across);
    for (const SizeRange& r : options_.one_answer ? choose_one(sizes) : choose_ranges(sizes)) {
      result_.ranges.push_back({r, across[r.winner], regime_of(sizes, r)});
      if (options_.objective != Objective::time)
        result_.ranges.back().sizes.rule =
            objective_rule(options_.objective, r.winner == sizes[r.last].fallback);
    }
    end_where_winners_fit(result_.ranges, result_.answers, result_.environment);
  }

  std::vector<SizeTimes> objective_sizes(const AcrossSizes& across) const {
    std::vector<SizeTimes> sizes = across.confirmed();
    for (std::size_t n = 0; n < sizes.size() && options_.objective != Objective::time; ++n) {
      std::vector<std::optional<double>> quantities(across.size());
      for (std::size_t c = 0; c < across.size(); ++c)
        if (const auto place = across.at(n, c))
          quantities[c] = objective_quantity(result_.answers[n].records[*place], options_.objective);
      sizes[n] = by_objective(sizes[n], quantities, options_.objective);
    }
    return sizes;
  }

  static std::string regime_of(const std::vector<SizeTimes>& sizes, const SizeRange& r) {
    const CacheRegime one = cache_regime(sizes[r.first].filled);
    return one == cache_regime(sizes[r.last].filled) ? to_string(one) : "";
  }

  // A failed write is reported with the answers, not thrown.
  void keep_answers() try {
    if (options_.tuned_folder.empty() || options_.each_alone) return;
    std::vector<Json> entries;
    for (const TuneRange& r : result_.ranges) entries.push_back(tuned_entry(result_, r, options_));
    result_.table = update_tuned_table(options_.tuned_folder, result_.device, entries,
                                       [this](const Json& old) { return !is_current(old, methods_); });
  } catch (const WriteError& e) {
    result_.unkept = e.what();
  }

  const TuneOptions& options_;
  TuneSession& session_;
  Progress& progress_;
  double start_;
  const std::vector<const Row*> methods_;
  TuneResult result_;
  Searches searches_;
  const KeepGoing keep_going_ = [this](const std::string& what) {
    progress_.working(what);
    return !interrupted() && seconds_left() > 0;
  };
};

}  // namespace

TuneResult tune(const std::vector<TuningTarget>& targets, const TuneOptions& options, TuneSession& session,
                Progress& progress) {
  return Tune(targets, options, session, progress).run();
}

TuneResult tune(const std::vector<TuningTarget>& targets, const TuneOptions& options, Progress& progress) {
  TuneSession session(options);
  return tune(targets, options, session, progress);
}

}  // namespace cfdmark::tuning
