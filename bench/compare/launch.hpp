// One launch: a new process of a build measures cases side by side.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/case.hpp"
#include "bench/json.hpp"

namespace cfdmark {

struct LaunchPlan {
  std::vector<std::string> worker;  // the command
  Json environment;                 // the line that its records point at
  std::vector<Case> cases;
  double seconds = 0.03;                   // that the samples of each case may take
  std::optional<double> sample_seconds{};  // the least length of a sample; unset: the worker's own
  double timeout = 600;                    // that one preparation, verification or sample may take
  // Called several times a second with what goes on; false stops the launch.
  std::function<bool(const std::string& what)> keep_going;
};

// A record for each case, in the order of the cases; where the worker died, hung or gave up, another goes on
// with the rest. Empty if it was stopped.
std::vector<Json> launch(const LaunchPlan& plan);

}  // namespace cfdmark
