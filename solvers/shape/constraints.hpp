// Constraints on the outline of a body, and by how much an outline violates them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solvers/shape/outline.hpp"

namespace cfdmark {

// The distance from a point to the nearest point of an outline.
double distance_to(const Outline&, const PlanePoint&);
// Returns whether two edges cross or touch, neighbours excepted.
bool crosses_itself(const Outline&);
// Returns the least length of an outline's inside along vertical lines, from 10 % to 90 % of its extent in x:
// its tips are thinner.
double least_thickness(const Outline&);

struct ShapeConstraints {
  PlanePoint low, high;               // the outline lies between these two
  double thickness = 0;               // least_thickness() is at least this
  std::optional<Outline> contains{};  // lies inside the outline: a frame around which the body grows
};

struct Violation {
  std::string constraint;  // simple, bounds, thickness or contains
  double by = 0;           // a length; for `simple` 1
};

// Returns the constraints that an outline violates; empty if it is feasible.
std::vector<Violation> violations(const Outline&, const ShapeConstraints&);

}  // namespace cfdmark
