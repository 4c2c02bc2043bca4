// Measures batches of flows (solvers/flow/flow_batch.hpp) against one flow at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case/given_settings.hpp"

namespace cfdmark {

struct BatchRequest {
  std::string backend = "serial", precision = "fp32", grid = "256x128";
  std::optional<int> device;
  std::vector<int> slots = {1, 8, 32};
  int bodies = 32, rounds = 3;
  double reynolds = 20, tolerance = 1e-4;
  int max_iterations = 20000;
  std::string surface = "distances";
  std::string start = "rest";  // or coarse: from the flow around the same body on coarser grids
  int coarsenings = 0;
  int single = 16;         // of the bodies, in the row of one flow at a time; 0: no such row
  GivenSettings settings;  // of simple
};

// Solves the flows around the same bodies one at a time and in stacks of each number of slots, and prints
// evaluations per second. Returns 0, or 1 if the evaluations of two stacks differ by a bit. Throws
// std::invalid_argument for an invalid request.
int measure_batches(const BatchRequest&);

}  // namespace cfdmark
