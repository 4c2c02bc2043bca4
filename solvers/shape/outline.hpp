// Closed plane curves as polygons of many corners, and what can be measured on them.
#pragma once

#include <vector>

namespace cfdmark {

struct PlanePoint {
  double x = 0, y = 0;
};

// The last corner is connected to the first.
struct Outline {
  std::vector<PlanePoint> corners;

  // Returns the enclosed area, whatever the direction of the corners. Parts of an outline that crosses itself
  // count with opposite signs.
  double area() const;
  double perimeter() const;
  PlanePoint centroid() const;  // of the enclosed area
  PlanePoint low() const;       // least x and least y
  PlanePoint high() const;      // largest x and largest y
  // Returns whether a point is inside by the even-odd rule: a ray to the right crosses the outline an odd
  // number of times.
  bool contains(double x, double y) const;
};

// Returns the outline stretched by a factor about a point, turned counterclockwise by an angle in degrees.
Outline stretched(const Outline&, double factor, PlanePoint about, double angle = 0);
Outline moved(const Outline&, PlanePoint by);
// Returns the outline scaled about its centroid to an area. Throws std::invalid_argument if it encloses none.
Outline scaled_to_area(const Outline&, double area);

}  // namespace cfdmark
