// One requested solve, and the families of solvers that can do it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case/row.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

struct SolveCase {
  const Row* row = nullptr;
  Backend* on = nullptr;
  Grid grid = {};
  Config config = {}, workload = {};
  std::string title = {};
  bool routines = false;               // measure the time by routine
  std::string plot = {};               // prefix of the pictures; empty: none
  std::string vtk = {};                // file for ParaView, for flows only; empty: none
  std::optional<DrawnBody> body = {};  // drawn body of a tunnel; none: the problem's own

  double tolerance() const { return workload.real("tolerance"); }
  int max_iterations() const { return workload.integer("max_iterations"); }
};

// Solves, prints the result, draws the requested pictures, and returns the exit status.
int solve_linear(const SolveCase&);
int solve_flow(const SolveCase&);
int solve_blocks(const SolveCase&);

struct Family {
  std::vector<std::string> solvers, problems;  // in the order of the catalog
  std::string problem_help;                    // "heated_plate (Laplace ..), manufactured (..)"
  int (*solve)(const SolveCase&);              // prints the result and returns the exit status
};

const std::vector<Family>& families();
// Return null if no family has the solver or the problem.
const Family* family_of_solver(const std::string& solver);
const Family* family_of_problem(const std::string& problem);

// Returns a member of all families in one list.
std::vector<std::string> of_all_families(std::vector<std::string> Family::*names);

}  // namespace cfdmark
