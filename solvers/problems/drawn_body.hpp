// Bodies that a user draws for the tunnel: an image with one pixel per cell, a polygon, or an outline of a
// few parameters.
#pragma once

#include <functional>
#include <string>

#include "kernels/core/grid.hpp"
#include "solvers/problems/mask.hpp"
#include "solvers/shape/outline.hpp"

namespace cfdmark {

struct DrawnBody {
  std::string file;
  double length = 0, diameter = 0;                   // along and across the tunnel, in tunnel heights
  double tunnel_length = 4;                          // in tunnel heights
  std::function<bool(double x, double y)> is_solid;  // in tunnel heights, from the lower left corner
  Outline outline = {};                              // in tunnel heights; without corners for an image
  double reference = 0;  // length of Reynolds number and force coefficients; 0: the diameter
};

// Returns the body of an image whose pixels are square cells: 300x100 pixels are a tunnel of length 3 and
// height 1. Throws std::invalid_argument if the size of the image differs from the grid, or if it contains no
// solid pixel.
DrawnBody body_of(const Mask&, const Grid&);

// Throws std::invalid_argument with the file name if an image of nx x ny pixels does not match the grid.
void require_pixel_grid(const std::string& file, int nx, int ny, const Grid&);

// Returns the polygon of a file: one corner (x y) per line in tunnel heights, with the last corner connected
// to the first; # starts a comment. The even-odd rule decides whether a point is inside. Throws
// std::invalid_argument with file and line.
DrawnBody read_polygon(const std::string& file);

// Returns the body of an outline that a text describes, such as "sine ln_length=0.83 b2=-0.007"
// (solvers/shape/parametrisation.hpp), with its centroid at (1, 1/2) and the area of a circle of diameter
// 1/8, its reference length. Throws std::invalid_argument for an invalid text or an outline that crosses
// itself.
DrawnBody body_of_outline(const std::string& text);

// Returns the body of an outline in tunnel heights. `file` is its name in messages. Throws
// std::invalid_argument if a corner is outside the tunnel, or if all corners are in a row or a column.
DrawnBody body_inside(const Outline&, const std::string& file);

}  // namespace cfdmark
