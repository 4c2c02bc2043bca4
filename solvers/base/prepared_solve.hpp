// A solve of any family with its memory allocated, its code compiled and its choices made.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "solvers/base/convergence.hpp"
#include "solvers/base/problem.hpp"
#include "solvers/base/rank_facts.hpp"
#include "solvers/base/routines.hpp"
#include "solvers/base/solver.hpp"

namespace cfdmark {

class PreparedSolve {
 public:
  PreparedSolve() = default;
  PreparedSolve(const PreparedSolve&) = delete;  // systems refer to the clock
  PreparedSolve& operator=(const PreparedSolve&) = delete;
  virtual ~PreparedSolve() = default;

  // Replaces the problem by another one of the same shape, without allocating or compiling. The next solve
  // must begin with reset(). Throws std::invalid_argument with the difference if the shapes differ.
  virtual void load(std::shared_ptr<const Problem>) = 0;
  // Restores the initial guess of the problem.
  virtual void reset() = 0;
  // Solves from the present unknowns (Solver::solve).
  Outcome solve(double tolerance, int max_iterations);
  // Solves with each routine timed alone, so that the total time is not representative.
  Outcome solve_by_routine(double tolerance, int max_iterations);
  // Adds the results of the last solve's answer to its outcome, and returns the verdict on the answer.
  virtual Judgement verify(Outcome&, double tolerance) = 0;
  // Returns a function that computes the largest error of the present iterate. Null if the exact answer is
  // unknown, or if the grid is too large to download the iterate at each residual check.
  virtual std::function<double()> error() const { return nullptr; }

  // Returns the facts of a solve on several ranks, after a solve also its times; empty on one rank.
  virtual std::optional<RankFacts> rank_facts() const { return {}; }

  virtual Solver& solver() const = 0;
  virtual std::size_t field_bytes() const = 0;  // bytes allocated on the backend

 protected:
  // Adds to the outcome of a solve what only the family knows.
  virtual void complete(Outcome&) {}

  RoutineClock clock_;
};

// Returns the problem of a family as its own type. Throws std::invalid_argument if it belongs to another one.
template <class OfFamily>
std::shared_ptr<const OfFamily> as(const std::shared_ptr<const Problem>& problem) {
  auto own = std::dynamic_pointer_cast<const OfFamily>(problem);
  if (!own) throw std::invalid_argument("the problem belongs to another family of solvers");
  return own;
}

}  // namespace cfdmark
