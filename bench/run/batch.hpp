// Cases that are alive together: prepared and verified one by one, then measured side by side.
#pragma once

#include <functional>
#include <vector>

#include "bench/run/prepared_case.hpp"

namespace cfdmark {

struct BatchOptions {
  double seconds = 1;      // that each case's samples may take
  double interval = 0.02;  // see MeasureOptions
  Json environment;        // the run's environment line: its id and roofs
};

// Told while it goes, by the index of the case.
struct BatchEvents {
  std::function<void(std::size_t, Stage)> entering;
  std::function<void(std::size_t, const Json& record)> record;
};

// Runs all cases, in as few batches as memory allows, and gives each its record. Throws DeviceLost after the
// record of the case that found its device gone; the cases without a record have not been measured then.
void run_cases(const std::vector<Case>& cases, const BatchOptions& options, const BatchEvents& events);

}  // namespace cfdmark
