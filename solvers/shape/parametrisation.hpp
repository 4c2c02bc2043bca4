// Outlines of bodies from a few numbers without bounds and of order 1, as optimisers need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solvers/shape/outline.hpp"

namespace cfdmark {

struct ShapeParameter {
  std::string name;
  double start = 0;  // of a circle, or of the usual section
  std::string help;
  double low = 0, high = 0;  // the usual range of a search; equal: the parameter usually keeps its start
};

// All outlines have their centroid at the origin and their nose towards negative x. D = sqrt(4 area / pi) is
// the diameter of the circle of the same area. The last parameter is always `angle`, in degrees, nose up.
struct Parametrisation {
  std::string name, help;  // help: one line
  std::vector<ShapeParameter> parameters;
  // Returns the curve of these parameters of any size, nose towards negative x, not turned.
  std::vector<PlanePoint> (*curve)(const std::vector<double>& parameters);

  // Returns the outline of an area. Throws std::invalid_argument if the number of parameters is wrong, if one
  // is not finite, or if the curve encloses no area.
  Outline outline(const std::vector<double>& parameters, double area) const;
};

// sine, superellipse, fourier, bezier, naca4, polygon, mask.
const std::vector<Parametrisation>& parametrisation_table();
// Throws std::invalid_argument for an unknown name, with the known ones.
const Parametrisation& find_parametrisation(std::string_view name);

// Returns the outline that a text describes, such as "sine ln_length=0.83 b2=-0.007": a parametrisation and
// some of its parameters; the others keep their start. Throws std::invalid_argument.
Outline outline_of_text(const std::string& text, double area);

}  // namespace cfdmark
