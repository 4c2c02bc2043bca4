#include "bench/measure/measure.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <random>
#include <string>

#include "bench/case/ranked_case.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/seconds_now.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {
namespace {

// A shorter sample depends on what ran before it: other cases' data in the caches, idle threads and low
// clocks.
constexpr double short_sample_limit = 20e-3;
constexpr std::size_t fewest_samples = 3;
// Minimum for a case of which one sample exceeds the budget; a single sample has no spread.
constexpr std::size_t fewest_long_samples = 2;
constexpr double too_long_to_repeat = 120;  // seconds

// A case during its rounds.
class Sampled {
 public:
  Sampled(const TimedStep& timed, const MeasureOptions& options, std::size_t index, std::exception_ptr& loss)
      : timed_(timed), options_(options), index_(index), loss_(loss) {
    result_.samples.emplace_back();
    result_.overhead = Overhead{.warm_up = 0, .reset = 0};
    result_.steps_per_sample = known() ? timed.steps_per_sample : timed.steps;
    estimate_ = timed.seconds * result_.steps_per_sample;
  }

  std::size_t index() const { return index_; }
  CaseResult take_result() { return std::move(result_); }
  bool finished() const { return finished_; }

  // Runs steps until clocks are up, caches are filled and the batch size is known. A case with a reset has
  // already run during verification; a long one is warm enough.
  void warm_up() {
    if (known()) return;
    const double start = seconds_now();
    guarded([&] {
      const double least =
          index_ == 0 ? std::max(options_.warm_up, options_.first_warm_up) : options_.warm_up;
      bool is_long_enough = timed_.reset != nullptr;
      while (!is_long_enough || seconds_now() - start < least) {
        if (timed_.reset && estimate_ >= short_sample_limit) break;
        estimate_ = batch_of_steps();
        is_long_enough = timed_.reset || estimate_ >= options_.sample_seconds;
        if (!is_long_enough) grow_batch();
      }
    });
    if (result_.is_ok()) result_.overhead->warm_up = seconds_now() - start;
  }

  // Returns the number of samples that fit into a round and the remaining time.
  int repetitions() const {
    const double left = (options_.seconds - spent_) / std::max(estimate_, 1e-9);
    return int(std::clamp(left, 1.0, double(options_.round)));
  }

  // Runs an untimed step first if the sample is short enough to depend on its predecessor.
  void sample() {
    if (finished_ || loss_) return;  // a step threw, here or elsewhere
    const double start = seconds_now();
    guarded([&] {
      if (estimate_ < short_sample_limit) untimed_step();
      samples().push_back(batch_of_steps() / result_.steps_per_sample);
      if (timed_.iterations) result_.sample_iterations.push_back(timed_.iterations());
    });
    estimate_ = seconds_now() - start;
    spent_ += estimate_;
  }

  void end_round() {
    if (finished_ || loss_) return;
    const MedianInterval interval = median_interval(samples());
    ++rounds_;
    stop_if(interval.confidence >= 0.95 && interval.relative_half_width() <= options_.interval, "interval");
    stop_if(spent_ >= options_.seconds && enough_samples(), "budget");
    stop_if(rounds_ >= options_.max_rounds, "rounds");
  }

 private:
  bool known() const { return timed_.steps_per_sample > 0; }
  std::vector<double>& samples() { return result_.samples.front(); }

  double batch_of_steps() {
    options_.entering(index_);
    if (timed_.reset) {
      const double start = seconds_now();
      timed_.reset();
      *result_.overhead->reset += seconds_now() - start;
    }
    if (timed_.clock) return timed_.clock(result_.steps_per_sample / timed_.steps);
    return timed_.backend->seconds([&] {
      for (int n = 0; n < result_.steps_per_sample; n += timed_.steps) timed_.step();
    });
  }

  void untimed_step() {
    options_.entering(index_);
    if (timed_.reset) timed_.reset();
    timed_.step();
    timed_.backend->fence();
  }

  void grow_batch() {
    const double wanted = 1.1 * options_.sample_seconds / std::max(estimate_, 1e-9);
    const double calls = double(result_.steps_per_sample) / timed_.steps;
    result_.steps_per_sample = timed_.steps * int(std::ceil(calls * std::clamp(wanted, 1.5, 10.0)));
  }

  // Returns true if there are enough samples to stop at the budget: three, or two if one alone exceeds it.
  bool enough_samples() const {
    const std::size_t count = result_.sample_count();
    if (options_.fewest_samples > 0) return count >= std::size_t(options_.fewest_samples);
    if (estimate_ <= options_.seconds) return count >= fewest_samples;
    return count >= fewest_long_samples || estimate_ > too_long_to_repeat;
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
      give_up(e);
    } catch (const std::exception& e) {
      give_up(e);
    }
  }

  void give_up(const std::exception& e) {
    result_ = CaseResult();
    const auto* const ranks = dynamic_cast<const RanksFailure*>(&e);
    result_.status = ranks ? ranks->status : "error";
    result_.reason = message_of(e);
    finished_ = true;
  }

  const TimedStep& timed_;
  const MeasureOptions& options_;
  std::size_t index_;
  std::exception_ptr& loss_;  // set by the first case whose device was lost; nothing runs after that
  double estimate_ = 0;       // seconds per sample
  double spent_ = 0;
  int rounds_ = 0;
  bool finished_ = false;
  CaseResult result_;
};

// Each case takes its samples of this round; the samples of all cases run in random order.
void one_round(const std::vector<Sampled*>& running, std::mt19937& random) {
  std::vector<Sampled*> turns;
  for (Sampled* m : running) turns.insert(turns.end(), std::size_t(m->repetitions()), m);
  std::shuffle(turns.begin(), turns.end(), random);
  for (Sampled* m : turns) m->sample();
  for (Sampled* m : running) m->end_round();
}

}  // namespace

void measure(const std::vector<TimedStep>& cases, const MeasureOptions& options,
             const std::function<void(std::size_t, CaseResult)>& finished) {
  std::mt19937 random(std::random_device{}());
  std::exception_ptr loss;
  std::vector<Sampled> all;
  for (std::size_t n = 0; n < cases.size(); ++n) all.emplace_back(cases[n], options, n, loss);
  std::vector<Sampled*> running;
  for (Sampled& m : all) running.push_back(&m);

  const auto retire_finished = [&] {
    for (Sampled* m : running)
      if (m->finished()) finished(m->index(), m->take_result());
    std::erase_if(running, [](const Sampled* m) { return m->finished(); });
    if (loss) std::rethrow_exception(loss);
  };
  for (Sampled* m : running)
    if (!loss) m->warm_up();
  retire_finished();
  while (!running.empty()) {
    one_round(running, random);
    retire_finished();
  }
}

}  // namespace cfdmark
