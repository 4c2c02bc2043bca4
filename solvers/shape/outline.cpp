#include "solvers/shape/outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace cfdmark {
namespace {

// Calls f(a, b) for each edge.
template <class F>
void for_each_edge(const std::vector<PlanePoint>& corners, const F& f) {
  for (std::size_t n = 0, last = corners.size() - 1; n < corners.size(); last = n++)
    f(corners[last], corners[n]);
}

double signed_area(const std::vector<PlanePoint>& corners) {
  double twice = 0;
  for_each_edge(corners, [&](const PlanePoint& a, const PlanePoint& b) { twice += a.x * b.y - b.x * a.y; });
  return twice / 2;
}

double extreme(const std::vector<PlanePoint>& corners, double PlanePoint::*side, bool is_largest) {
  const auto [least, most] =
      std::minmax_element(corners.begin(), corners.end(),
                          [=](const PlanePoint& a, const PlanePoint& b) { return a.*side < b.*side; });
  return is_largest ? (*most).*side : (*least).*side;
}

}  // namespace

double Outline::area() const { return std::abs(signed_area(corners)); }

double Outline::perimeter() const {
  double sum = 0;
  for_each_edge(corners,
                [&](const PlanePoint& a, const PlanePoint& b) { sum += std::hypot(b.x - a.x, b.y - a.y); });
  return sum;
}

PlanePoint Outline::centroid() const {
  // Relative to a corner: far from the origin the terms would cancel.
  const PlanePoint origin = corners.front();
  PlanePoint sum;
  for_each_edge(corners, [&](const PlanePoint& a, const PlanePoint& b) {
    const double ax = a.x - origin.x, ay = a.y - origin.y, bx = b.x - origin.x, by = b.y - origin.y;
    const double twice = ax * by - bx * ay;
    sum.x += (ax + bx) * twice, sum.y += (ay + by) * twice;
  });
  const double six = 6 * signed_area(corners);
  return {origin.x + sum.x / six, origin.y + sum.y / six};
}

PlanePoint Outline::low() const {
  return {extreme(corners, &PlanePoint::x, false), extreme(corners, &PlanePoint::y, false)};
}
PlanePoint Outline::high() const {
  return {extreme(corners, &PlanePoint::x, true), extreme(corners, &PlanePoint::y, true)};
}

bool Outline::contains(double x, double y) const {
  bool inside = false;
  for_each_edge(corners, [&](const PlanePoint& a, const PlanePoint& b) {
    if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y)) inside = !inside;
  });
  return inside;
}

Outline stretched(const Outline& outline, double factor, PlanePoint about, double angle) {
  const double turn = angle * std::numbers::pi / 180, c = std::cos(turn) * factor,
               s = std::sin(turn) * factor;
  Outline moved;
  for (const PlanePoint& corner : outline.corners) {
    const double x = corner.x - about.x, y = corner.y - about.y;
    moved.corners.push_back({about.x + c * x - s * y, about.y + s * x + c * y});
  }
  return moved;
}

Outline moved(const Outline& outline, PlanePoint by) {
  Outline there = outline;
  for (PlanePoint& corner : there.corners) corner.x += by.x, corner.y += by.y;
  return there;
}

Outline scaled_to_area(const Outline& outline, double area) {
  const double own = outline.area();
  if (!(own > 0)) throw std::invalid_argument("the outline encloses no area");
  return stretched(outline, std::sqrt(area / own), outline.centroid());
}

}  // namespace cfdmark
