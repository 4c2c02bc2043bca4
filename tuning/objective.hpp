// What a search asks for, and what it is told: the only way in which this room meets clocks, kernels and
// devices.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cfdmark::tuning {

enum class TrialStatus {
  ok,
  constraint,      // the method cannot do this config here
  compile_error,   // its device code does not compile
  launch_failure,  // it could not be launched, crashed, or took its device away
  wrong_result,    // it did not pass its verification
  timeout,         // it hung, and was ended
  not_tried        // the time was over before its turn; says nothing about the candidate
};

// What is known of one candidate: from one request, from a whole search, or from a file.
struct Evaluation {
  TrialStatus status = TrialStatus::not_tried;
  std::string reason;            // one sentence; empty for ok and not_tried
  std::vector<double> samples;   // seconds a step, in order; empty unless ok
  double setup_seconds = 0;      // to compile, verify and warm up
  double measuring_seconds = 0;  // that the samples took: each may be many steps

  bool ok() const { return status == TrialStatus::ok; }
};

// Measures the candidates side by side, `samples` of each, within `seconds` altogether. Returns an evaluation
// of each, in their order. What it says it cost is what is taken from the budget.
using Objective = std::function<std::vector<Evaluation>(const std::vector<std::size_t>& candidates,
                                                        int samples, double seconds)>;

}  // namespace cfdmark::tuning
