#include "bench/device_facts/machine_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "bench/device_facts/host_facts.hpp"

namespace cfdmark {
namespace {

constexpr double seconds_watched = 0.25;  // in units of 10 ms ticks

// Ticks since boot, summed over all processors.
struct Ticks {
  double working = 0, stolen = 0, all = 0;
};

// Parses the first line of /proc/stat: cpu user nice system idle iowait irq softirq steal guest guest_nice.
// user and nice include guest time.
std::optional<Ticks> ticks_in(const std::string& stat) {
  std::istringstream line(stat.substr(0, stat.find('\n')));
  std::string name;
  double user, nice, system, idle, iowait, irq, softirq, steal;
  if (!(line >> name >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal) || name != "cpu")
    return std::nullopt;
  const double working = user + nice + system + irq + softirq;
  return Ticks{working, steal, working + steal + idle + iowait};
}

std::string text_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

bool MachineLoad::is_busy(int cores) const {
  return busy_cores + stolen_cores >= std::max(0.25, 0.05 * cores);
}

std::optional<MachineLoad> load_between(const std::string& stat_before, const std::string& stat_after,
                                        const std::string& load_average, int cores) {
  const auto before = ticks_in(stat_before), after = ticks_in(stat_after);
  std::istringstream averages(load_average);
  double average;
  if (!before || !after || !(after->all > before->all) || !(averages >> average)) return std::nullopt;
  const double per_core = (after->all - before->all) / cores;
  return MachineLoad{(after->working - before->working) / per_core,
                     (after->stolen - before->stolen) / per_core, average};
}

std::optional<MachineLoad> machine_load() {
  const std::string before = text_of("/proc/stat");
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds_watched));
  return load_between(before, text_of("/proc/stat"), text_of("/proc/loadavg"), cores());
}

Json to_json(const MachineLoad& load, int cores) {
  return {{"busy", load.is_busy(cores)},
          {"busy_cores", load.busy_cores},
          {"stolen_cores", load.stolen_cores},
          {"average", load.average}};
}

std::string busy_text(const MachineLoad& load, int cores) {
  return fmt::format(
      "this machine is busy: other programs use {:.1f} of its {} processors{} (load average {:.1f}); times "
      "are longer and vary more than on an idle one",
      load.busy_cores, cores,
      load.stolen_cores >= 0.05 ? fmt::format(", and its host withholds {:.1f}", load.stolen_cores) : "",
      load.average);
}

}  // namespace cfdmark
