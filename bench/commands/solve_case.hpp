// One solve that was asked for, whatever its family, and what all families print of it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/catalog/catalog.hpp"
#include "solvers/core/convergence.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

struct SolveCase {
  const Row* row = nullptr;
  Backend* on = nullptr;
  Grid grid = {};
  Config config = {}, question = {};
  std::string title = {};
  bool routines = false;               // asked for: where the time goes
  std::string plot = {};               // prefix of pictures; empty: none
  std::string vtk = {};                // file for ParaView, of a flow; empty: none
  std::optional<DrawnBody> body = {};  // of a tunnel, instead of its own
};

// Each solves, prints what it found, draws what was asked for, and gives the exit status.
int solve_linear(const SolveCase&);
int solve_flow(const SolveCase&);
int solve_blocks(const SolveCase&);

// A solve that diverged, or whose answer is not what the solver claims. reduce: the settings of which less
// may help; may be empty.
void print_wrong(const Outcome&, const Judgement&, const std::string& reduce);
void print_history(const std::vector<std::pair<int, double>>&);
// Of a solve of its own, in which nothing overlaps: the sum is more than the time to solution.
void print_routines(const std::vector<RoutineTime>&, const std::string& what = "routine");

}  // namespace cfdmark
