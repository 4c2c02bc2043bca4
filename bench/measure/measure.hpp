// Interleaved measurement of prepared cases.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "bench/record/record.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

// A prepared step, ready to be repeated.
struct TimedStep {
  Backend* backend = nullptr;
  std::function<void()> step;
  // Restores the initial state before each sample, outside the clock; a sample is then one step. Null: steps
  // continue from the previous state, and a sample is a batch of them.
  std::function<void()> reset{};
  // Calls `step` this many times and returns the seconds by a clock of its own. Null: the backend's clock.
  std::function<double(int calls)> clock{};
  double seconds = 0;  // estimated seconds per step; 0: unknown
  // Batch size from an earlier measurement of the same prepared case, which is then not warmed up again. 0:
  // none.
  int steps_per_sample = 0;
  int steps = 1;                      // steps per call of `step`
  std::function<int()> iterations{};  // iterations of a solver's last step; null for a kernel
};

struct MeasureOptions {
  double seconds = 1;            // budget of a case: its samples and the overhead between them
  double interval = 0.02;        // target half-width of the median's interval, relative to the median
  double sample_seconds = 2e-3;  // minimum duration of a batch of steps, in seconds
  double warm_up = 20e-3;        // minimum warm-up of a case, in seconds
  double first_warm_up = 20e-3;  // minimum for the first case, which also raises the processor's clocks
  int round = 10;                // samples per case in a round
  int max_rounds = 10;
  int fewest_samples = 0;  // at the end of the budget; 0: three, or fewer of long samples
  // Called with the index of a case each time before it runs.
  std::function<void(std::size_t)> entering = [](std::size_t) {};
};

// Warms up every case, then adds rounds of interleaved samples until a case's interval is narrow enough or
// its budget is spent. `finished` is called with a case's index and result as soon as it is done. The result
// has what the clock and the rounds gave: the samples of one process, sample_iterations, steps_per_sample,
// stopped_by, and warm_up and reset of the overhead. After an exception of a step it has status "error", the
// message as reason, and no samples. If a device is lost, the case that noticed it finishes with that error
// and DeviceLost is thrown; the remaining cases get no result.
void measure(const std::vector<TimedStep>& cases, const MeasureOptions& options,
             const std::function<void(std::size_t, CaseResult)>& finished);

}  // namespace cfdmark
