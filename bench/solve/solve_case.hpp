// One requested solve.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bench/case/row.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

class RankProcess;

// Output of a flow over its iterations or time steps.
struct SeriesOutput {
  std::string history = {};                        // CSV file; empty: none
  std::vector<std::array<double, 3>> probes = {};  // x, y, z; z is NaN if only two were given
  int vtk_every = 0;                               // iterations between two files for ParaView; 0: none
  std::optional<double> mean_from = {};            // start of the time means

  bool any() const { return !history.empty() || vtk_every > 0 || mean_from; }
};

struct SolveCase {
  const Row* row = nullptr;
  Backend* on = nullptr;
  Domain domain = {};
  Config config = {}, workload = {};
  std::string title = {};
  bool routines = false;                // measure the time by routine
  std::string plot = {};                // prefix of the pictures; empty: none
  std::string vtk = {};                 // file for ParaView, for flows and on meshes; empty: none
  std::string answer = {};              // file for the x of a matrix; empty: none
  SeriesOutput series = {};             // of flows
  std::string save = {}, restart = {};  // files of a flow's state to write and to continue from; empty: none
  int save_every = 0;                   // iterations between two writes of `save`; 0: at the end only
  int ranks = 1;                        // more than 1: in parts
  RankProcess* process = nullptr;       // null: ranks are threads of this process
  std::string partition = "slabs";      // kind or shape of the parts
  std::optional<DrawnBody> body = {};   // drawn body of a tunnel; none: the problem's own

  double tolerance() const { return workload.real("tolerance"); }
  int max_iterations() const { return workload.integer("max_iterations"); }
};

}  // namespace cfdmark
