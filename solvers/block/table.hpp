// The table of block solvers, and a solve with all its resources.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/base/convergence.hpp"
#include "solvers/base/solver.hpp"
#include "solvers/block/method.hpp"

namespace cfdmark {

const std::vector<BlockSolverDescription>& block_solver_table();
std::vector<std::string> block_solver_names();
// Returns null for an unknown name.
const BlockSolverDescription* find_block_solver(std::string_view name);

// A problem on the host in the precision in which it is stored. All configs and methods of that precision
// share it.
struct StoredBlocks {
  StoredBlocks(std::shared_ptr<const BlockProblem>, Precision);

  std::shared_ptr<const BlockProblem> problem;
  Precision precision;
  std::shared_ptr<const HostField> matrices;  // shared with the problem if the precision is the same
  HostField b;                                // right-hand side for which problem->exact is the solution
};

class PreparedBlocks {
 public:
  PreparedBlocks(const BlockMethod&, Backend&, const Config&, std::shared_ptr<const StoredBlocks>);

  void reset();  // sets x to 0
  Outcome solve(double tolerance, int max_iterations) { return solver_->solve(tolerance, max_iterations); }
  // Solves with each routine timed alone, so that the total time is not representative.
  Outcome solve_by_routine(double tolerance, int max_iterations);
  Solver& solver() { return *solver_; }
  const Solver& solver() const { return *solver_; }
  HostField solution() const { return system_.x.download(); }
  // Returns ||b - A x|| / ||b|| with the matrices as stored, computed in double precision on the host.
  double true_residual(const HostField& x) const;
  // Returns the verdict on a solve, given its outcome and solution.
  Judgement judge(const Outcome&, const HostField& solution, double tolerance) const;
  // Returns the largest difference from the exact unknowns.
  double largest_error(const HostField& x) const {
    return largest_block_difference(stored_->problem->grid, x, stored_->problem->exact);
  }

 private:
  std::shared_ptr<const StoredBlocks> stored_;
  RoutineClock clock_;
  BlockSystem system_;
  std::unique_ptr<Solver> solver_;
};

// Returns the bytes that a PreparedBlocks allocates on a backend.
std::size_t block_solver_bytes(const BlockMethod&, BackendKind, Precision, const Grid&, const Config&);

}  // namespace cfdmark
