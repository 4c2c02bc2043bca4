// One round: a new process of each side. They are alive together and take turns with every case, a few
// milliseconds each, so that what disturbs the machine for longer than that disturbs all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/record/json.hpp"

namespace cfdmark::compare {

struct RoundSide {
  std::vector<std::string> worker;  // the command
  Json environment;                 // the line that its records point at
};

struct RoundPlan {
  std::vector<RoundSide> sides;  // in the order in which they begin; every other turn goes backwards
  std::vector<Case> cases;
  double seconds = 0.03;  // that the samples of each case may take on each side; at least two turns
  double timeout = 600;   // that one preparation, verification or turn may take
  // Called several times a second with what goes on; false stops the round.
  std::function<bool(const std::string& what)> keep_going;
};

// For each side a record for each case, in the order of the cases. A side on which a case crashes, hangs or
// is wrong says so in its record, and the case is left; another process goes on with the rest. Empty if it
// was stopped.
std::vector<std::vector<Json>> measure_round(const RoundPlan& plan);

}  // namespace cfdmark::compare
