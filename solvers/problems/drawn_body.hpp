// Bodies that a user draws, for the tunnel: an image, a pixel a cell, or a polygon.
#pragma once

#include <functional>
#include <string>

#include "kernels/core/grid.hpp"
#include "solvers/problems/mask.hpp"

namespace cfdmark {

struct DrawnBody {
  std::string file;
  double length = 0, diameter = 0;  // along the tunnel and across it, in heights of the tunnel
  double tunnel_length = 4;         // in heights of the tunnel
  std::function<bool(double x, double y)> is_solid;  // in heights of the tunnel, from its lower left corner
};

// Pixels are square cells: an image of 300x100 pixels is a tunnel 3 long and 1 high. Throws
// std::invalid_argument if the image has another size than the grid, or no body.
DrawnBody body_of(const Mask&, const Grid&);

// Throws std::invalid_argument, with the image's file, if it has another size than the grid.
void require_pixel_grid(const std::string& file, int nx, int ny, const Grid&);

// The corners of a polygon, an x and a y a line, in heights of the tunnel; the last is joined to the first.
// What lies behind a # is a comment. A point is inside by the even-odd rule. Throws std::invalid_argument
// with file and line.
DrawnBody read_polygon(const std::string& file);

}  // namespace cfdmark
