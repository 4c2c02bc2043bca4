// One requested solve.
#pragma once

#include <optional>
#include <string>

#include "bench/case/row.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

struct SolveCase {
  const Row* row = nullptr;
  Backend* on = nullptr;
  Domain domain = {};
  Config config = {}, workload = {};
  std::string title = {};
  bool routines = false;               // measure the time by routine
  std::string plot = {};               // prefix of the pictures; empty: none
  std::string vtk = {};                // file for ParaView, for flows and on meshes; empty: none
  std::string answer = {};             // file for the x of a matrix; empty: none
  int ranks = 1;                       // more than 1: in parts, on serial ranks
  std::string partition = "slabs";     // kind or shape of the parts
  std::optional<DrawnBody> body = {};  // drawn body of a tunnel; none: the problem's own

  double tolerance() const { return workload.real("tolerance"); }
  int max_iterations() const { return workload.integer("max_iterations"); }
};

}  // namespace cfdmark
