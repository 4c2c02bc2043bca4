// The files that a solve is given, and those that it is to write.
#pragma once

#include <string>

#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

// The body that an image or a polygon draws, of which one is named. An empty `grid` becomes the image's, or
// 512x128. Throws std::invalid_argument for both, and for a file that draws none.
DrawnBody read_body(const std::string& mask, const std::string& polygon, std::string& grid);

// Tries every file that a solve is to write before it begins: FILE.vti of --vtk, and what --plot PREFIX makes
// of this problem. Empty names stand for none. Throws WriteError with the reason for a file that cannot be
// written, std::invalid_argument for a name that no program opens.
void check_output_files(const std::string& vtk, const std::string& plot, bool is_flow,
                        const std::string& problem);

}  // namespace cfdmark
