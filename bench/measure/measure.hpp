// Measuring prepared cases side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kernels/backends/backend.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {

// A step that is ready to be repeated, and what is known of it.
struct Timed {
  Backend* backend = nullptr;
  std::function<void()> step;
  // Brings the case back to its start before each sample, outside the clock; a sample is then one step. Null:
  // steps run on from what the last one left, and a sample is a batch of them.
  std::function<void()> reset{};
  double seconds = 0;  // that a step has been seen to take; 0: not known
  // Of an earlier measurement, where the case has stayed prepared: it is not warmed up again. 0: there was
  // none.
  int steps_per_sample = 0;
  int steps = 1;                      // that one call of `step` makes
  std::function<int()> iterations{};  // of a solver's last step; null for a kernel
};

struct MeasureOptions {
  double seconds = 1;      // that a case's samples may take, with what goes on between them
  double interval = 0.02;  // half-width of the median's interval, over the median, that is narrow enough
  double sample_seconds = 2e-3;  // a batch of steps takes at least this long
  double warm_up = 20e-3;        // seconds that a case runs before its first sample
  double first_warm_up = 20e-3;  // and of the first case at least: the processor's clocks wake up in it
  int round = 10;                // samples of each case in a round
  int max_rounds = 10;
  // Told the index of the case that is about to run, each time.
  std::function<void(std::size_t)> entering = [](std::size_t) {};
};

struct Measurement {
  std::vector<double> samples;  // seconds a step, in order
  std::vector<int> iterations;  // of a solver: of each sample
  int steps_per_sample = 1;
  MedianInterval interval;        // of the samples
  std::string stopped_by;         // "interval", "budget" or "rounds"
  double warm_up = 0, reset = 0;  // seconds outside the clock
  std::string error;              // what a step threw; there are no samples then
};

// Warms every case up, then adds rounds of interleaved samples to each until its interval is narrow enough or
// its time is over. `finished` is called with each case's index as soon as it is done. If a device is lost,
// the case that found out is finished with that error, and DeviceLost is thrown; the other cases have no
// measurement then.
void measure(const std::vector<Timed>& cases, const MeasureOptions& options,
             const std::function<void(std::size_t, const Measurement&)>& finished);

}  // namespace cfdmark
