// The time of a ceiling's benchmark: that of the fastest of the device's methods.
#pragma once

#include <functional>
#include <vector>

#include "bench/measure/measure.hpp"
#include "bench/measure/roof.hpp"
#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

// Returns seconds per step, with the threads that the key names; a median of 0 if no method supports it.
// `entering` is called from time to time.
template <class K>
MedianInterval time_of_fastest(Backend& backend, const RoofKey& key, const CellArgs<K>& args,
                               MeasureOptions options, const std::function<void()>& entering) {
  std::vector<TimedStep> timed;
  std::vector<Step> steps;
  for (const auto& method : CellKernel<K>::methods(key.device.kind)) {
    if (method.unsupported && !method.unsupported(args).empty()) continue;
    steps.push_back(method.prepare(backend, args, method.space.filled(key.config)));
    timed.push_back({&backend, steps.back().run});
  }
  options.entering = [&](std::size_t) { entering(); };
  MedianInterval best{};
  measure(timed, options, [&](std::size_t, const CaseResult& result) {
    if (!result.is_ok()) return;
    const MedianInterval time = median_interval(result.samples);
    if (best.median == 0 || time.median < best.median) best = time;
  });
  return best;
}

// Requires a time above 0.
inline MedianInterval amount_per_second(double amount, const MedianInterval& time) {
  return {amount / time.median, amount / time.high, amount / time.low, time.confidence};
}

}  // namespace cfdmark
