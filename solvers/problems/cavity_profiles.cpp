#include "solvers/problems/cavity_profiles.hpp"

#include <algorithm>
#include <cmath>

namespace cfdmark {
namespace {

struct Point {
  const char* source;
  int dimensions;
  double reynolds;
  char component;  // u along y, or v along x
  double at, value;
};
const Point points[] = {
#include "generated/cavity_profiles.inc"
};

}  // namespace

std::string profile_source(int dimensions, double reynolds) {
  const auto first = std::find_if(std::begin(points), std::end(points), [&](const Point& p) {
    return p.dimensions == dimensions && p.reynolds == reynolds;
  });
  return first == std::end(points) ? "" : first->source;
}

ProfileDifference profile_difference(const CentrelineVelocities& found, int dimensions, double reynolds) {
  ProfileDifference difference{profile_source(dimensions, reynolds)};
  for (const Point& p : points) {
    if (p.dimensions != dimensions || p.reynolds != reynolds || difference.source != p.source) continue;
    const Centreline& along = p.component == 'u' ? found.u : found.v;
    difference.largest = std::max(difference.largest, std::abs(along.value_at(p.at) - p.value));
  }
  return difference;
}

}  // namespace cfdmark
