// Measures one round of a comparison, with a new process of each side. The processes coexist and alternate
// within a case, a few milliseconds each, so that a longer disturbance of the machine affects all sides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"
#include "bench/worker/worker_rows.hpp"

namespace cfdmark::compare {

struct RoundSide {
  std::vector<std::string> worker;  // command line
  const WorkerRows* rows;           // rows of its catalog
  Json environment;                 // environment line that its records refer to
};

struct RoundPlan {
  std::vector<RoundSide> sides;  // in starting order; every other turn runs in reverse
  std::vector<Case> cases;
  double seconds = 0.03;  // sampling time of each case on each side, in seconds; at least two turns
  double timeout = 600;   // limit of one preparation, verification or turn, in seconds
  // Called several times a second with a description of the current work; false stops the round.
  std::function<bool(const std::string& what)> keep_going;
};

// Returns one record per case for each side, in the order of the cases; empty if the round was stopped. If a
// case crashes, hangs or is wrong on a side, its record says so, and a new process continues with the next
// case.
std::vector<std::vector<Record>> measure_round(const RoundPlan& plan);

}  // namespace cfdmark::compare
