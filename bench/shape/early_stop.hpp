// Ends flows whose bodies are certainly worse than the better half of the generation before.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cfdmark {

// The limit of a series that converges geometrically.
struct SeriesLimit {
  double value = 0;
  double width = 0;  // largest distance to the estimates at the two looks before
};
// Estimates the limit f + d r / (1 - r), with d the last difference and r its ratio to the one before (Aitken
// 1926), from values that are `spacing` looks apart. Returns nothing unless 0 < r < 0.9 at the last three
// looks, with a change of r below 0.1.
std::optional<SeriesLimit> limit_of(const std::vector<double>& values, std::size_t spacing);

// How flows are stopped: the keys of `stop`.
struct StopRule {
  bool is_on = false;
  double margin = 0.01;  // share of the threshold that a limit must exceed it by
  double audit = 0.02;   // share of the stopped flows that are solved to their end
};

// A flow was stopped, or would have been if it were not audited.
struct EarlyStop {
  double bound = 0;  // of the objective: the least value that its limit may have
  double threshold = 0;
  int iteration = 0;
  bool is_audited = false;

  // Returns true if the objective at the end of an audited flow is not above the threshold.
  bool is_wrong(double objective) const { return is_audited && objective <= threshold; }
};

// Decides for each flow of a generation. Its decisions depend on the flow's own looks alone.
class StopDecision {
 public:
  // threshold: objective that a flow has to beat.
  StopDecision(const StopRule& rule, double threshold) : rule_(rule), threshold_(threshold) {}

  // Returns the bound of a flow once three looks in a row exceed the threshold by the margin.
  std::optional<double> bound(const std::vector<double>& objectives) const;
  // Returns true for a fixed share of all names.
  bool is_audited(const std::string& name) const;
  double threshold() const { return threshold_; }

 private:
  StopRule rule_;
  double threshold_;
};

}  // namespace cfdmark
