// How often a body sheds vortices: the frequency of its lift.
#pragma once

#include <optional>
#include <vector>

namespace cfdmark {

struct Shedding {
  double frequency;                   // periods in a unit of time
  double largest_drag, largest_lift;  // once it has settled: in the later half of the time
};

// Coefficients of drag and lift at some times, in order. Of the later half of the time the lift's upward
// crossings of its mean are taken; nothing if there are fewer than four, if one period is more than a
// twentieth longer than another (it has not settled), or if a period has fewer than eight values.
std::optional<Shedding> find_shedding(const std::vector<double>& time, const std::vector<double>& drag,
                                      const std::vector<double>& lift);

}  // namespace cfdmark
