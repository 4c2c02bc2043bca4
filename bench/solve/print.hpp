// Solving and printing that the families of solvers share.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/solve/solve_case.hpp"
#include "solvers/base/convergence.hpp"

namespace cfdmark {

struct TimedSolve {
  Outcome outcome;
  double seconds = 0;
};
// Sentences in the output of a solve that is judged by its true residual.
struct SolveWords {
  std::string iterations = "iterations", one = "iteration";
  std::string reduce = {};  // settings whose reduction may help a diverged solve; may be empty
  std::string note = {};    // line after the residuals
  std::string rate = {};    // after the time, such as ", 12 million points per second"
};

// Prints history, residuals, results and time. If the solve is wrong, prints the reason and returns the exit
// status.
std::optional<int> print_solve(const SolveCase&, const TimedSolve&, const Judgement&, const SolveWords&);

// Returns the comparison with a published value, such as "   (2.238 by de Vahl Davis 1983: 0.31 % more)". For
// a deviation from published data it names the source, as in "   (from Botella and Peyret 1998)".
std::string published_note(const std::vector<PublishedValue>&, const NamedValue& result);

// The parts of it. `what` counts the iterations.
void print_end(const Outcome&, bool converged, double tolerance, const std::string& what);
void print_value(const NamedValue&, const std::string& note = "");
void print_time(const TimedSolve&, const std::string& one, const std::string& rate = "");

// Prints the times of a separate solve in which routines do not overlap, so the sum exceeds the time to
// solution. Those of multigrid's routines are printed by grid, too.
void print_routines(const Outcome&);

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
