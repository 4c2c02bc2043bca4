#include "bench/measure/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "bench/measure/device_state.hpp"
#include "bench/measure/seconds_now.hpp"
#include "bench/sweep/duration.hpp"

namespace cfdmark {
namespace {

// A powercap counter, in microjoules, which wraps to zero at a limit.
struct Zone {
  std::string counter;
  double limit = 0, last = 0, total = 0;

  static bool read(const std::string& path, double& value) { return bool(std::ifstream(path) >> value); }

  double joules() {
    double value = last;
    read(counter, value);
    total += value >= last ? value - last : value - last + limit;
    last = value;
    return total * 1e-6;
  }
};

std::vector<Zone> package_zones(const std::string& folder, bool& unreadable) {
  std::vector<Zone> zones;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    std::string name;
    std::ifstream(entry.path() / "name") >> name;
    // A package includes its cores and caches. Memory may have no counter at all.
    if (!name.starts_with("package")) continue;
    Zone zone{(entry.path() / "energy_uj").string()};
    Zone::read((entry.path() / "max_energy_range_uj").string(), zone.limit);
    if (Zone::read(zone.counter, zone.last))
      zones.push_back(zone);
    else
      unreadable = true;
  }
  return zones;
}

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
EnergyOfStep energy_running_on(const EnergyMeter& meter, const Timed& timed) {
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
EnergyOfStep energy_of_solves(const EnergyMeter& meter, const Timed& timed) {
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

EnergyMeter powercap_meter(const std::string& folder) {
  bool unreadable = false;
  const auto zones = std::make_shared<std::vector<Zone>>(package_zones(folder, unreadable));
  EnergyMeter meter;
  if (unreadable)
    meter.reason = fmt::format("the counters in {} are readable by root only", folder);
  else if (zones->empty())
    meter.reason = fmt::format("no processor package has a counter in {}", folder);
  else
    meter = {"powercap",
             [zones] {
               double joules = 0;
               for (Zone& zone : *zones) joules += zone.joules();
               return joules;
             },
             10e-3, ""};
  return meter;
}

EnergyMeter energy_meter(const Backend& backend) {
  return backend.host_accessible() ? powercap_meter() : device_energy_meter(backend);
}

Json measure_energy(const EnergyMeter& meter, const Timed& timed, double most_seconds) {
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
