// What else a machine does when a run begins. Times that are measured beside other work are longer, and
// spread more.
#pragma once

#include <optional>
#include <string>

#include "bench/record/json.hpp"

namespace cfdmark {

struct MachineLoad {
  double busy_cores = 0;    // mean number of processors that worked while this program slept
  double stolen_cores = 0;  // of those that a lent machine should have, what its host gave to others
  double average = 0;       // the system's load average over a minute

  // Whether it may show in what is measured on a machine of so many processors: a quarter of one, and on
  // large machines a twentieth of all.
  bool is_busy(int cores) const;
};

// From two readings of /proc/stat and the text of /proc/loadavg. None if they do not tell.
std::optional<MachineLoad> load_between(const std::string& stat_before, const std::string& stat_after,
                                        const std::string& load_average, int cores);

// Watches this machine for a quarter of a second, in which this program does nothing.
std::optional<MachineLoad> machine_load();

Json to_json(const MachineLoad&, int cores);
// "others keep 1.8 of 2 processors busy (load average 14.1): ..."
std::string busy_text(const MachineLoad&, int cores);

}  // namespace cfdmark
