#include "solvers/shape/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cfdmark {
namespace {

// Returns twice the signed area of a triangle: positive for counterclockwise corners.
double turn(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

bool overlap(double a, double b, double c, double d) {
  return std::max(a, b) >= std::min(c, d) && std::max(c, d) >= std::min(a, b);
}

// Returns whether the ends c and d of a segment are on different sides of the line from a to b, or on it.
bool is_parted(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d) {
  const double one = turn(a, b, c), other = turn(a, b, d);
  return !(one > 0 && other > 0) && !(one < 0 && other < 0);
}

// Returns whether two segments have a point in common.
bool meet(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d) {
  return overlap(a.x, b.x, c.x, d.x) && overlap(a.y, b.y, c.y, d.y) && is_parted(a, b, c, d) &&
         is_parted(c, d, a, b);
}

double distance_to_edge(const PlanePoint& a, const PlanePoint& b, const PlanePoint& p) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// Returns the length of the inside along the vertical line at x, by the even-odd rule.
double inside_along(const Outline& outline, double x) {
  std::vector<double> crossings;
  const auto& corners = outline.corners;
  for (std::size_t n = 0, last = corners.size() - 1; n < corners.size(); last = n++) {
    const PlanePoint &a = corners[last], &b = corners[n];
    if ((a.x > x) != (b.x > x)) crossings.push_back(a.y + (x - a.x) * (b.y - a.y) / (b.x - a.x));
  }
  std::sort(crossings.begin(), crossings.end());
  double sum = 0;
  for (std::size_t n = 0; n + 1 < crossings.size(); n += 2) sum += crossings[n + 1] - crossings[n];
  return sum;
}

}  // namespace

double distance_to(const Outline& outline, const PlanePoint& p) {
  double least = std::numeric_limits<double>::infinity();
  const auto& corners = outline.corners;
  for (std::size_t n = 0, last = corners.size() - 1; n < corners.size(); last = n++)
    least = std::min(least, distance_to_edge(corners[last], corners[n], p));
  return least;
}

bool crosses_itself(const Outline& outline) {
  const auto& c = outline.corners;
  const std::size_t edges = c.size();
  for (std::size_t one = 0; one < edges; ++one)
    for (std::size_t other = one + 2; other < edges; ++other) {
      if (one == 0 && other + 1 == edges) continue;  // neighbours around the end
      if (meet(c[one], c[one + 1], c[other], c[(other + 1) % edges])) return true;
    }
  return false;
}

double least_thickness(const Outline& outline) {
  const double low = outline.low().x, high = outline.high().x;
  double least = std::numeric_limits<double>::infinity();
  constexpr int lines = 161;
  for (int n = 0; n < lines; ++n)
    least = std::min(least, inside_along(outline, low + (high - low) * (0.1 + 0.8 * n / (lines - 1))));
  return least;
}

std::vector<Violation> violations(const Outline& outline, const ShapeConstraints& constraints) {
  std::vector<Violation> all;
  const auto check = [&](const char* constraint, double by) {
    if (by > 0) all.push_back({constraint, by});
  };
  const PlanePoint low = outline.low(), high = outline.high();
  check("bounds", std::max({constraints.low.x - low.x, constraints.low.y - low.y, high.x - constraints.high.x,
                            high.y - constraints.high.y}));
  check("simple", crosses_itself(outline) ? 1 : 0);
  if (constraints.thickness > 0) check("thickness", constraints.thickness - least_thickness(outline));
  if (!constraints.contains) return all;
  // Corners of the frame outside the outline, and corners of the outline inside the frame: one of them exists
  // if the frame sticks out through an edge.
  double outside = 0;
  for (const PlanePoint& corner : constraints.contains->corners)
    if (!outline.contains(corner.x, corner.y)) outside = std::max(outside, distance_to(outline, corner));
  for (const PlanePoint& corner : outline.corners)
    if (constraints.contains->contains(corner.x, corner.y))
      outside = std::max(outside, distance_to(*constraints.contains, corner));
  check("contains", outside);
  return all;
}

}  // namespace cfdmark
