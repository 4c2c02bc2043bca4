// The interface between searches and measurements. A search calls an Evaluator, so it depends on no clock,
// kernel or device.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cfdmark::tuning {

enum class TrialStatus {
  ok,
  constraint,      // the config is not valid for this method, grid or device
  compile_error,   // device code did not compile
  launch_failure,  // launch failed, process crashed, or device was lost
  wrong_result,    // verification failed
  timeout,         // hung, and was stopped
  not_tried        // the budget ended first; nothing is known about the candidate
};

// Measurements of one candidate: from one request, from a whole search, or from a file.
struct Evaluation {
  TrialStatus status = TrialStatus::not_tried;
  std::string reason;            // one sentence; empty for ok and not_tried
  std::vector<double> samples;   // seconds per step, in order; empty unless ok
  double setup_seconds = 0;      // compile, verify and warm up
  double measuring_seconds = 0;  // total of all samples, each of which may be many steps

  bool ok() const { return status == TrialStatus::ok; }
};

// Measures `samples` of each candidate, interleaved, within `seconds` in total. Returns one evaluation per
// candidate, in order. The search subtracts the seconds in the evaluations from its budget.
using Evaluator = std::function<std::vector<Evaluation>(const std::vector<std::size_t>& candidates,
                                                        int samples, double seconds)>;

}  // namespace cfdmark::tuning
