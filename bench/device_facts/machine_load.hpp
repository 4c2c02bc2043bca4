// Other load on the machine when a run starts. It makes times longer and less reproducible.
#pragma once

#include <optional>
#include <string>

#include "bench/text/json.hpp"

namespace cfdmark {

struct MachineLoad {
  double busy_cores = 0;    // mean number of processors busy while this program slept
  double stolen_cores = 0;  // processors' worth of time that a virtual machine's host gave to others
  double average = 0;       // load average over one minute

  // Returns true if the load may affect measurements: from a quarter of one processor, and on large machines
  // from a twentieth of all.
  bool is_busy(int cores) const;
};

// Computes the load from two readings of /proc/stat and the text of /proc/loadavg. None if these cannot be
// read.
std::optional<MachineLoad> load_between(const std::string& stat_before, const std::string& stat_after,
                                        const std::string& load_average, int cores);

// Observes this machine for a quarter of a second, in which the program sleeps.
std::optional<MachineLoad> machine_load();

Json to_json(const MachineLoad&, int cores);
// Returns a warning such as "this machine is busy: other programs use 1.8 of 2 processors ...".
std::string busy_text(const MachineLoad&, int cores);

}  // namespace cfdmark
