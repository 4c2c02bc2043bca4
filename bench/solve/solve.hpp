// One solve for a user: chooses what was not given, solves, and prints residuals, answer and time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case/given_settings.hpp"

namespace cfdmark {

// Options of a solve. Empty strings mean not given.
struct SolveRequest {
  std::string solver, problem, grid, backend, precision = "fp64", method;
  std::string mesh;           // instead of a grid: triangles-178x178, or a file
  std::string matrix, rhs;    // instead of a grid: poisson-100x100 or a file, and a file with b
  std::string answer;         // file for x
  std::string plot, vtk;      // prefix of the pictures, file for ParaView
  std::string mask, polygon;  // file with the body of a tunnel
  std::string outline;        // description of the body of a tunnel
  GivenSettings settings;
  std::optional<int> device;
  int ranks = 1;                    // of the serial backend, one a thread
  std::string partition = "slabs";  // of the grid into parts, one a rank
  bool tuned = false, routines = false;
};

// Solves, prints the result, writes the requested files, and returns the exit status. Throws
// std::invalid_argument for a request that cannot be solved, WriteError for a file that cannot be written.
int solve(SolveRequest request);

}  // namespace cfdmark
