// Computes frequency and amplitude of a body's vortex shedding from its lift history.
#pragma once

#include <optional>
#include <vector>

namespace cfdmark {

struct Shedding {
  double frequency;                   // periods per unit of time
  double largest_drag, largest_lift;  // in the later half of the time
};

// Analyses drag and lift coefficients at ascending times, by the lift's upward crossings of its mean in the
// later half of the time. Empty if there are fewer than four crossings, if two periods differ by more than 5
// % (not yet periodic), or if a period has fewer than eight values.
std::optional<Shedding> find_shedding(const std::vector<double>& time, const std::vector<double>& drag,
                                      const std::vector<double>& lift);

}  // namespace cfdmark
