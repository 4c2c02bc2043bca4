#include "bench/measure/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench/text/duration.hpp"
#include "bench/text/seconds_now.hpp"

namespace cfdmark {
namespace {

// Counter updates that a measurement covers. Continuous steps are measured exactly from one update to
// another; solves start and end between updates.
constexpr double updates_of_steps = 2, updates_of_solves = 20;
// A counter without a change for this many updates is broken.
constexpr double updates_to_wait_for = 20;

// Energy and time of a step during the same measurement. The time may exceed that of the samples: under
// sustained load the power limit lowers the clocks.
struct EnergyOfStep {
  double joules = 0, seconds = 0;
};

// Measures continuous steps from one counter update to a later one. The counter is read while the device
// still has steps queued. NVML takes about 3 ms to answer, and a device idle for that long would be charged
// for it.
EnergyOfStep energy_running_on(const EnergyMeter& meter, const TimedStep& timed) {
  struct Update {
    double seconds, joules;
    long steps;
  };
  const int batch = int(std::ceil(meter.resolution / 10 / (timed.seconds * timed.steps)));
  std::optional<Update> first;
  long steps = 0;
  double joules = meter.joules();
  for (double moved = seconds_now();;) {
    const double before = joules;
    timed.backend->seconds([&] {
      for (int n = 0; n < batch; ++n) timed.step();
      joules = meter.joules();
    });
    steps += long(batch) * timed.steps;
    const double now = seconds_now();
    if (joules > before) {
      moved = now;
      if (!first)
        first = {now, joules, steps};
      else if (now - first->seconds >= (updates_of_steps - 0.5) * meter.resolution)
        return {(joules - first->joules) / double(steps - first->steps),
                (now - first->seconds) / double(steps - first->steps)};
    } else if (now - moved > updates_to_wait_for * meter.resolution) {
      return {};
    }
  }
}

// Measures solves that each start from a reset, over many counter updates.
EnergyOfStep energy_of_solves(const EnergyMeter& meter, const TimedStep& timed) {
  const int solves = int(std::ceil(updates_of_solves * meter.resolution / timed.seconds));
  EnergyOfStep all;
  for (int n = 0; n < solves; ++n) {
    timed.reset();
    const double before = meter.joules();
    all.seconds += timed.backend->seconds(timed.step);
    all.joules += meter.joules() - before;
  }
  return {all.joules / solves, all.seconds / solves};
}

}  // namespace

Json measure_energy(const EnergyMeter& meter, const TimedStep& timed, double most_seconds) {
  if (!meter.joules) return {{"reason", meter.reason}};
  const double needed = timed.reset ? std::max(updates_of_solves * meter.resolution, timed.seconds)
                                    : (updates_of_steps + 1) * meter.resolution;
  if (needed > most_seconds)
    return {{"reason", fmt::format("it needs {}, and the limit is {}", seconds_text(needed),
                                   seconds_text(most_seconds))}};
  if (timed.reset && timed.seconds < 10 * meter.resolution)
    return {{"reason", fmt::format("one solve takes {}, too short for a counter that is updated every {}",
                                   seconds_text(timed.seconds), seconds_text(meter.resolution))}};
  const EnergyOfStep step = timed.reset ? energy_of_solves(meter, timed) : energy_running_on(meter, timed);
  if (step.joules <= 0) return {{"reason", fmt::format("the counter of {} does not change", meter.source)}};
  return {{"joules_per_step", step.joules}, {"seconds_per_step", step.seconds}, {"source", meter.source}};
}

}  // namespace cfdmark
