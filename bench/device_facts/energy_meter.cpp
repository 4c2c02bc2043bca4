#include "bench/device_facts/energy_meter.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "bench/device_facts/device_state.hpp"

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

}  // namespace cfdmark
