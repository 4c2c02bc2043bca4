// One requested solve.
#pragma once

#include <optional>
#include <string>

#include "bench/case/row.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

class RankProcess;

struct SolveCase {
  const Row* row = nullptr;
  Backend* on = nullptr;
  Domain domain = {};
  Config config = {}, workload = {};
  std::string title = {};
  bool routines = false;               // measure the time by routine
  std::string plot = {};               // prefix of the pictures; empty: none
  std::string vtk = {};                // file for ParaView, for flows and on meshes; empty: none
  int ranks = 1;                       // more than 1: in parts
  RankProcess* process = nullptr;      // null: ranks are threads of this process
  std::string partition = "slabs";     // kind or shape of the parts
  std::optional<DrawnBody> body = {};  // drawn body of a tunnel; none: the problem's own

  double tolerance() const { return workload.real("tolerance"); }
  int max_iterations() const { return workload.integer("max_iterations"); }
};

}  // namespace cfdmark
