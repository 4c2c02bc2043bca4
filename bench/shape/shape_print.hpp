// Output of `cfdmark shape`: the study, one line for each generation, and the result.
#pragma once

#include <string>

#include "bench/shape/shape_search.hpp"

namespace cfdmark {

void print_study(const ShapeStudy&, const std::string& output);

// Prints a line a generation, and on a terminal what is being evaluated.
class ShapeLines {
 public:
  explicit ShapeLines(const ShapeStudy&);

  void solved(const ShapeEvaluation&);
  void generation(const ShapeProgress&, int solved, int reused);

 private:
  std::string best_text(const ShapeProgress&, const ShapeEvaluation& best) const;

  const ShapeStudy& study_;
  bool is_live_;
  int solved_ = 0;
};

// The statuses of a search, what early stops saved, and how the flows started.
void print_statuses(const ShapeProgress&);

// Returns what the flows of a search cost: those that were solved, from this run or from the file.
struct FlowCost {
  int flows = 0;
  double seconds = 0;  // of all, on one worker or device
  double iterations = 0;
  double each(const TunnelFlow&) const;  // seconds of the host or devices
};
FlowCost cost_of(const ShapeProgress&);

// Returns "1.2e+05 evaluations an hour", with their joules if they are known.
std::string rate_text(const ShapeStudy&, const ShapeProgress&);

// Compares the gain over the circle with the noise floor, and with the gain on the finer grid.
std::string verdict(const NoiseFloor&, const std::optional<FinerResult>&);

}  // namespace cfdmark
