// The files that a solve is given, and those that it is to write.
#pragma once

#include <string>

#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

// The body that an image or a polygon draws, of which one is named. An empty `grid` becomes the image's, or
// 512x128. Throws std::invalid_argument for both, and for a file that draws none.
DrawnBody read_body(const std::string& mask, const std::string& polygon, std::string& grid);

// Before an hour's solve for a file that nobody can write or open; empty names are of none. Throws WriteError
// for a folder that cannot be written, std::invalid_argument for a name that nothing opens.
void check_output_files(const std::string& vtk, const std::string& plot, bool is_flow);

}  // namespace cfdmark
