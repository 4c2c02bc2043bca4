// What others published of the lid-driven cavity's velocities along its centrelines.
#pragma once

#include <string>

#include "solvers/problems/centreline.hpp"

namespace cfdmark {

struct ProfileDifference {
  std::string source;  // author and year; empty if nobody has published such a flow
  double largest = 0;  // of u and v at all its points, in speeds of the lid
};
// From the most exact source that has this flow: of cavity_profiles.csv, which goes from the most exact on,
// the first.
ProfileDifference profile_difference(const CentrelineVelocities&, int dimensions, double reynolds);
// Its source alone.
std::string profile_source(int dimensions, double reynolds);

}  // namespace cfdmark
