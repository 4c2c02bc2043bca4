// Solving and printing that the families of solvers share.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/solve/families.hpp"
#include "solvers/base/convergence.hpp"

namespace cfdmark {

// Solves once without timing, for a few iterations, and restores the initial guess. Prepared: PreparedSolver,
// PreparedFlow or PreparedBlocks.
template <class Prepared>
void warm_up(Prepared& prepared, const SolveCase& asked, int iterations = 20) {
  prepared.reset();
  prepared.solve(asked.tolerance(), std::min(asked.max_iterations(), iterations));
  prepared.reset();
}

struct TimedSolve {
  Outcome outcome;
  double seconds = 0;
};
template <class Prepared>
TimedSolve timed_solve(Prepared& prepared, const SolveCase& asked) {
  TimedSolve timed;
  timed.seconds =
      asked.on->seconds([&] { timed.outcome = prepared.solve(asked.tolerance(), asked.max_iterations()); });
  return timed;
}

// Sentences in the output of a solve that is judged by its true residual.
struct SolveWords {
  std::string iterations = "iterations", one = "iteration";
  std::string reduce = {};  // settings whose reduction may help a diverged solve; may be empty
  std::string note = {};    // line after the residuals
  std::string rate = {};    // after the time, such as ", 12 million points per second"
};

// Prints history, residuals, results and time. Of a wrong solve it prints why, and returns false.
bool print_solve(const SolveCase&, const TimedSolve&, const Judgement&, const SolveWords&);

// The parts of it. `what` counts the iterations.
void print_end(const Outcome&, bool converged, double tolerance, const std::string& what);
void print_value(const NamedValue&, const std::string& note = "");
void print_time(const TimedSolve&, const std::string& one, const std::string& rate = "");

// Prints the times of a separate solve in which routines do not overlap, so the sum exceeds the time to
// solution. `by_level` adds those of multigrid's routines by grid.
void print_routines(const Outcome&, bool by_level);
template <class Prepared>
void print_requested_routines(Prepared& prepared, const SolveCase& asked, bool by_level = false) {
  if (!asked.routines) return;
  prepared.reset();
  print_routines(prepared.solve_by_routine(asked.tolerance(), asked.max_iterations()), by_level);
}

// Returns f(i, j) of each cell, row by row.
template <class F>
nlohmann::json plane_of(const Grid& g, const F& f) {
  nlohmann::json rows = nlohmann::json::array();
  for (int j = 0; j < g.ny; ++j) {
    nlohmann::json row = nlohmann::json::array();
    for (int i = 0; i < g.nx; ++i) row.push_back(f(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}
// Writes PREFIX.json and runs a script that draws it to PREFIX-*.png. Returns the script's exit status.
int draw(const std::string& script, const std::string& prefix, const nlohmann::json& drawn);

}  // namespace cfdmark
