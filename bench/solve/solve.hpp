// One solve for a user: chooses what was not given, solves, and prints residuals, answer and time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case/given_settings.hpp"

namespace cfdmark {

class RankProcess;

// Options of a solve. Empty strings mean not given.
struct SolveRequest {
  std::string solver, problem, grid, backend, precision = "fp64", method;
  std::string mesh;                 // instead of a grid: triangles-178x178, or a file
  std::string matrix, rhs;          // instead of a grid: poisson-100x100 or a file, and a file with b
  std::string answer;               // file for x
  std::string plot, vtk;            // prefix of the pictures, file for ParaView
  std::string mask, polygon;        // file with the body of a tunnel
  std::string history;              // CSV file of a flow over its iterations
  std::vector<std::string> probes;  // X,Y or X,Y,Z
  int vtk_every = 0;                // iterations between two files for ParaView
  std::optional<double> mean_from;  // start of the time means
  std::string save, restart;        // files of a flow's state
  int save_every = 0;               // iterations between two writes of `save`
  std::string outline;              // description of the body of a tunnel
  GivenSettings settings;
  std::optional<int> device;
  int ranks = 1;                    // more than 1: parts of the grid
  std::string partition = "slabs";  // of the grid into parts, one a rank
  std::string join = "threads";     // of ranks: threads, or mpi for processes
  std::string launcher;             // of processes (launcher_words)
  double rank_timeout = 600;        // seconds that a rank may wait for another
  RankProcess* process = nullptr;   // if this process is one of the ranks
  bool tuned = false, routines = false;
};

// Solves, prints the result, writes the requested files, and returns the exit status. Throws
// std::invalid_argument for a request that cannot be solved, WriteError for a file that cannot be written.
int solve(SolveRequest request);

}  // namespace cfdmark
