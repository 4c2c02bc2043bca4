// Computes frequency and amplitude of a body's vortex shedding from its lift history.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct Shedding {
  double frequency = 0;    // periods per unit of time
  double uncertainty = 0;  // standard error of the frequency, from the scatter of the periods
  int periods = 0;         // whole periods in the later half of the time; 0: no frequency
  double largest_drag = 0, largest_lift = 0;  // in the later half of the time
  std::string lacking = {};                   // reason for a missing frequency, with a remedy

  explicit operator bool() const { return periods > 0; }
};

// Analyses drag and lift coefficients at ascending times, by the lift's upward crossings of its mean in the
// later half of the time. There is no frequency if there are fewer than four crossings, if two periods differ
// by more than 5 % (not yet periodic), or if a period has fewer than eight values.
Shedding find_shedding(const std::vector<double>& time, const std::vector<double>& drag,
                       const std::vector<double>& lift);

// Returns the longest distance between two values of the lift that find_shedding() accepts for a body of this
// extent across a flow of this speed: a twentieth of a period at a Strouhal number of 0.4, which confined
// bodies do not exceed.
inline double longest_sample_distance(double extent, double speed) { return extent / speed / 0.4 / 20; }

}  // namespace cfdmark
