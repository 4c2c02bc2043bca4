// Interleaved measurement of prepared cases.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kernels/core/statistics.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

// A prepared step, ready to be repeated.
struct TimedStep {
  Backend* backend = nullptr;
  std::function<void()> step;
  // Restores the initial state before each sample, outside the clock; a sample is then one step. Null: steps
  // continue from the previous state, and a sample is a batch of them.
  std::function<void()> reset{};
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
  // Called with the index of a case each time before it runs.
  std::function<void(std::size_t)> entering = [](std::size_t) {};
};

struct Measurement {
  std::vector<double> samples;  // seconds per step, in order
  std::vector<int> iterations;  // of a solver, per sample
  int steps_per_sample = 1;
  MedianInterval interval;        // of the samples
  std::string stopped_by;         // "interval", "budget" or "rounds"
  double warm_up = 0, reset = 0;  // seconds outside the clock
  std::string error;              // exception of a step; there are no samples then
};

// Warms up every case, then adds rounds of interleaved samples until a case's interval is narrow enough or
// its budget is spent. `finished` is called with a case's index as soon as it is done. If a device is lost,
// the case that noticed it finishes with that error and DeviceLost is thrown; the remaining cases get no
// measurement.
void measure(const std::vector<TimedStep>& cases, const MeasureOptions& options,
             const std::function<void(std::size_t, const Measurement&)>& finished);

}  // namespace cfdmark
