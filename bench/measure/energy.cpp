#include "bench/measure/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "bench/measure/device_state.hpp"

namespace cfdmark {
namespace {

// One counter of powercap: microjoules that start again at zero when they reach a limit.
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
    if (!name.starts_with("package"))
      continue;  // a package holds its cores and caches; memory may not be told
    Zone zone{(entry.path() / "energy_uj").string()};
    Zone::read((entry.path() / "max_energy_range_uj").string(), zone.limit);
    if (Zone::read(zone.counter, zone.last))
      zones.push_back(zone);
    else
      unreadable = true;
  }
  return zones;
}

struct Stretch {
  double joules = 0;
  long steps = 0;
};

// How many updates of its counter an energy is taken over: of steps that run on, from one to another; of
// solves, each of which begins and ends in between.
constexpr double updates_of_steps = 2, updates_of_solves = 20;

// Runs steps for so many seconds and on, until the counter moves.
Stretch run_to_update(const EnergyMeter& meter, const Timed& timed, double at_least) {
  const int batch = int(std::ceil(meter.resolution / 10 / timed.seconds));
  const double before = meter.joules(), give_up = at_least + 20 * meter.resolution;
  Stretch stretch;
  for (double seconds = 0, last = 0; seconds < give_up;) {
    seconds += timed.backend->seconds([&] {
      for (int n = 0; n < batch; ++n) timed.step();
    });
    stretch.steps += long(batch) * timed.steps;
    stretch.joules = meter.joules() - before;
    if (stretch.joules > last && seconds >= at_least) break;
    last = stretch.joules;
  }
  return stretch;
}

// Joules a step while steps run on: from one update of the counter, which stands still in between, to a later
// one.
double joules_running_on(const EnergyMeter& meter, const Timed& timed) {
  run_to_update(meter, timed, 0);
  const Stretch stretch = run_to_update(meter, timed, updates_of_steps * meter.resolution);
  return stretch.joules / double(stretch.steps);
}

// Joules a step where each starts anew and lasts many updates of the counter.
double joules_of_solves(const EnergyMeter& meter, const Timed& timed) {
  const int solves = int(std::ceil(updates_of_solves * meter.resolution / timed.seconds));
  double joules = 0;
  for (int n = 0; n < solves; ++n) {
    timed.reset();
    const double before = meter.joules();
    timed.backend->seconds(timed.step);
    joules += meter.joules() - before;
  }
  return joules / solves;
}

}  // namespace

EnergyMeter powercap_meter(const std::string& folder) {
  bool unreadable = false;
  const auto zones = std::make_shared<std::vector<Zone>>(package_zones(folder, unreadable));
  EnergyMeter meter;
  if (unreadable)
    meter.reason = fmt::format("the counters in {} may be read by root only", folder);
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
    return {{"reason", fmt::format("it takes {:.2g} s, and may take {:.2g} s", needed, most_seconds)}};
  if (timed.reset && timed.seconds < 10 * meter.resolution)
    return {
        {"reason", fmt::format("one solve takes {:.3g} s, too little for a counter that moves every {:.3g} s",
                               timed.seconds, meter.resolution)}};
  const double joules = timed.reset ? joules_of_solves(meter, timed) : joules_running_on(meter, timed);
  if (joules <= 0) return {{"reason", fmt::format("the counter of {} does not move", meter.source)}};
  return {{"joules_per_step", joules}, {"source", meter.source}};
}

}  // namespace cfdmark
