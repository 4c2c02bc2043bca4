// Published velocity profiles of the lid-driven cavity along its centrelines.
#pragma once

#include <string>

#include "solvers/problems/centreline.hpp"

namespace cfdmark {

struct ProfileDifference {
  std::string source;  // author and year; empty if there is no published profile
  double largest = 0;  // over u and v at all published points, in lid speeds
};
// Returns the largest difference from the most accurate published profile of this flow. cavity_profiles.csv
// lists sources in order of accuracy.
ProfileDifference profile_difference(const CentrelineVelocities&, int dimensions, double reynolds);
// Returns the source alone.
std::string profile_source(int dimensions, double reynolds);

}  // namespace cfdmark
