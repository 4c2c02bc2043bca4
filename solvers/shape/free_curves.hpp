// Curves with many parameters: Bezier pieces, polygons, and cells of a lattice. See parametrisation.hpp.
#pragma once

#include <vector>

#include "solvers/shape/parametrisation.hpp"

namespace cfdmark {

// Each returns its parameters without the angle. All start as a circle or as close to one as they can be.
std::vector<ShapeParameter> bezier_parameters();
std::vector<ShapeParameter> polygon_parameters();
std::vector<ShapeParameter> mask_parameters();

// Six corners by the logarithm of their radius and their place in a sector of 60 degrees. Between two corners
// runs a cubic Bezier piece. Its direction at a corner is the mean of those of the two edges, and its control
// points are at `edge` of the corner's distance to the nearer neighbour (the form of Viquerat, Rabault,
// Kuhnle, Ghraieb, Larcher and Hachem 2021, who have one such share per corner).
std::vector<PlanePoint> bezier_curve(const std::vector<double>& parameters);

std::vector<PlanePoint> polygon_curve(const std::vector<double>& parameters);

// The outer boundary of the largest set of solid cells that are connected by their sides. Throws
// std::invalid_argument if no cell is solid.
std::vector<PlanePoint> mask_curve(const std::vector<double>& parameters);

}  // namespace cfdmark
