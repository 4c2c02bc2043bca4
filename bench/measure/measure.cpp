#include "bench/measure/measure.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "bench/measure/engine.hpp"
#include "bench/measure/seconds_now.hpp"

namespace cfdmark {
namespace {

// Below this a sample would feel what ran before it: other cases' data in the caches, threads and clocks
// asleep.
constexpr double feels_neighbours = 20e-3;
constexpr double warm_up_seconds = 20e-3;
constexpr std::size_t fewest_samples = 3;

// A case on its way through the rounds.
class Candidate {
 public:
  Candidate(const Timed& timed, const MeasureOptions& options, std::size_t index, std::exception_ptr& loss)
      : timed_(timed), options_(options), index_(index), loss_(loss), estimate_(timed.seen_seconds) {
    if (!known()) return;
    estimate_ = timed.known.seconds;
    result_.steps_per_sample = timed.known.steps_per_sample;
  }

  std::size_t index() const { return index_; }
  const Measurement& result() const { return result_; }
  bool finished() const { return finished_; }

  // Runs steps until clocks are up, caches are filled and the length of a batch is known. A case that needs a
  // reset has run before, in verification; if it is long it is warm enough.
  void warm_up() {
    if (known()) return;
    const double start = seconds_now();
    guarded([&] {
      while (seconds_now() - start < warm_up_seconds && !(timed_.reset && estimate_ >= feels_neighbours)) {
        estimate_ = batch_of_steps();
        if (!timed_.reset && estimate_ < options_.sample_seconds) grow_batch();
      }
    });
    result_.warm_up = seconds_now() - start;
  }

  // Settles first where a sample would feel its neighbours otherwise.
  double sample() {
    const double start = seconds_now();
    double seconds = 0;
    guarded([&] {
      if (estimate_ < feels_neighbours) settle();
      seconds = batch_of_steps();
    });
    estimate_ = seconds_now() - start;
    spent_ += estimate_;
    return seconds;
  }

  EngineCase engine_case() {
    return {timed_.name, repetitions(), [this] { return finished_ || loss_ ? 0.0 : sample(); }};
  }

  void add_round(const std::vector<double>& seconds) {
    if (finished_ || loss_) return;  // a step threw, here or elsewhere
    for (double s : seconds) result_.samples.push_back(s / result_.steps_per_sample);
    result_.interval = median_interval(result_.samples);
    ++rounds_;
    stop_if(
        result_.interval.confidence >= 0.95 && result_.interval.relative_half_width() <= options_.interval,
        "interval");
    stop_if(spent_ >= options_.seconds && enough_samples(), "budget");
    stop_if(rounds_ >= options_.max_rounds, "rounds");
  }

 private:
  bool known() const { return timed_.known.steps_per_sample > 0; }

  double batch_of_steps() {
    options_.entering(index_);
    if (timed_.reset) {
      const double start = seconds_now();
      timed_.reset();
      result_.reset += seconds_now() - start;
    }
    return timed_.backend->seconds([&] {
      for (int n = 0; n < result_.steps_per_sample; ++n) timed_.step();
    });
  }

  void settle() {
    options_.entering(index_);
    if (timed_.reset) timed_.reset();
    timed_.step();
    timed_.backend->fence();
  }

  void grow_batch() {
    const double wanted = 1.1 * options_.sample_seconds / std::max(estimate_, 1e-9);
    result_.steps_per_sample = int(std::ceil(result_.steps_per_sample * std::clamp(wanted, 1.5, 10.0)));
  }

  int repetitions() const {
    const double left = (options_.seconds - spent_) / std::max(estimate_, 1e-9);
    return int(std::clamp(left, 1.0, double(options_.round)));
  }

  // A few samples are worth overrunning the budget for, unless one alone takes it all.
  bool enough_samples() const {
    return result_.samples.size() >= fewest_samples || estimate_ > options_.seconds;
  }

  void stop_if(bool condition, const char* reason) {
    if (!condition || finished_) return;
    result_.stopped_by = reason;
    finished_ = true;
  }

  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const DeviceLost& e) {
      loss_ = std::current_exception();
      give_up(e.what());
    } catch (const std::exception& e) {
      give_up(e.what());
    }
  }

  void give_up(const std::string& error) {
    result_.error = error;
    result_.samples.clear();
    finished_ = true;
  }

  const Timed& timed_;
  const MeasureOptions& options_;
  std::size_t index_;
  std::exception_ptr& loss_;  // set by the first case that finds its device gone; nothing runs any more then
  double estimate_;           // seconds that a sample takes
  double spent_ = 0;
  int rounds_ = 0;
  bool finished_ = false;
  Measurement result_;
};

void one_round(const std::vector<Candidate*>& running) {
  std::vector<EngineCase> round;
  for (Candidate* c : running) round.push_back(c->engine_case());
  const auto seconds = run_round(round);
  for (std::size_t n = 0; n < running.size(); ++n) running[n]->add_round(seconds[n]);
}

}  // namespace

void measure(const std::vector<Timed>& cases, const MeasureOptions& options,
             const std::function<void(std::size_t, const Measurement&)>& finished) {
  std::exception_ptr loss;
  std::vector<Candidate> candidates;
  for (std::size_t n = 0; n < cases.size(); ++n) candidates.emplace_back(cases[n], options, n, loss);
  std::vector<Candidate*> running;
  for (Candidate& c : candidates) running.push_back(&c);

  const auto retire_finished = [&] {
    for (const Candidate* c : running)
      if (c->finished()) finished(c->index(), c->result());
    std::erase_if(running, [](const Candidate* c) { return c->finished(); });
    if (loss) std::rethrow_exception(loss);
  };
  for (Candidate* c : running)
    if (!loss) c->warm_up();
  retire_finished();
  while (!running.empty()) {
    one_round(running);
    retire_finished();
  }
}

}  // namespace cfdmark
