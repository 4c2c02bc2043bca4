// Input and output files of a solve.
#pragma once

#include <string>

#include "bench/solve/solve_view.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

// Reads the body from an image or a polygon, whichever is named. Sets an empty `grid` to the image's size, or
// to 512x128. Throws std::invalid_argument if both are named, or if the file contains no body.
DrawnBody read_body(const std::string& mask, const std::string& polygon, const std::string& outline,
                    std::string& grid);

// Checks before the solve that the output files of its view can be written: FILE.vti of --vtk, and those of
// --plot PREFIX. Empty names mean none. Throws WriteError with the reason, or std::invalid_argument for a
// view without such files and for a file name that ParaView cannot open.
void check_output_files(const SolveView&, const std::string& vtk, const std::string& plot);
// The same for the file of --answer, which needs a matrix.
void check_answer_file(const std::string& answer, const Domain&);

}  // namespace cfdmark
