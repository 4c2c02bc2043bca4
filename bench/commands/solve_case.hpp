// One requested solve of any family, with the output that all families share.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/case/row.hpp"
#include "solvers/base/convergence.hpp"
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
};

// Solves, prints the result, draws the requested pictures, and returns the exit status.
int solve_linear(const SolveCase&);
int solve_flow(const SolveCase&);
int solve_blocks(const SolveCase&);

// Prints that a solve diverged or that its result contradicts the solver's claim. `reduce` names settings
// whose reduction may help; may be empty.
void print_wrong(const Outcome&, const Judgement&, const std::string& reduce);
void print_history(const std::vector<std::pair<int, double>>&);
// Prints the times of a separate solve in which routines do not overlap, so the sum exceeds the time to
// solution.
void print_routines(const std::vector<RoutineTime>&, const std::string& what = "routine");

}  // namespace cfdmark
