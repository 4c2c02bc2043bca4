// Energy in joules, from counters that some machines have.
#pragma once

#include <functional>
#include <string>

#include "bench/device_facts/energy_meter.hpp"
#include "bench/measure/measure.hpp"
#include "bench/text/json.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

// Returns the `energy` object of a record. Runs only the step, for as long as the counter needs, if that is
// at most `most_seconds`. Resets are not counted.
Json measure_energy(const EnergyMeter&, const TimedStep&, double most_seconds);

}  // namespace cfdmark
