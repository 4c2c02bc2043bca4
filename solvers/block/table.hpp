// The block solvers that there are, and a solve with all that it needs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/block/method.hpp"
#include "solvers/core/convergence.hpp"
#include "solvers/core/solver.hpp"

namespace cfdmark {

const std::vector<BlockSolverDescription>& block_solver_table();
std::vector<std::string> block_solver_names();
// Null if there is none of that name.
const BlockSolverDescription* find_block_solver(std::string_view name);

// A problem as a precision stores it, on the host: what all configs and methods of that precision start from.
struct StoredBlocks {
  StoredBlocks(std::shared_ptr<const BlockProblem>, Precision);

  std::shared_ptr<const BlockProblem> problem;
  Precision precision;
  std::shared_ptr<const HostField> matrices;  // the problem's own where those are stored so
  HostField b;                                // what makes the problem's unknowns the answer
};

class PreparedBlocks {
 public:
  PreparedBlocks(const BlockMethod&, Backend&, const Config&, std::shared_ptr<const StoredBlocks>);

  void reset();  // x back to 0
  Outcome solve(double tolerance, int max_iterations) { return solver_->solve(tolerance, max_iterations); }
  // The same with each routine timed by itself: not to be timed as a whole.
  Outcome solve_by_routine(double tolerance, int max_iterations);
  Solver& solver() { return *solver_; }
  const Solver& solver() const { return *solver_; }
  HostField solution() const { return system_.x.download(); }
  // ||b - A x|| of the solution as a share of ||b||, with the matrices as they are stored, in 64 bits on the
  // host.
  double true_residual(const HostField& x) const;
  // The verdict on a solve whose outcome and solution these are.
  Judgement judge(const Outcome&, const HostField& solution, double tolerance) const;
  // The largest difference from the problem's answer.
  double largest_error(const HostField& x) const {
    return largest_block_difference(stored_->problem->grid, x, stored_->problem->exact);
  }

 private:
  std::shared_ptr<const StoredBlocks> stored_;
  RoutineClock clock_;
  BlockSystem system_;
  std::unique_ptr<Solver> solver_;
};

// Bytes that a PreparedBlocks allocates on a backend of a kind.
std::size_t block_solver_bytes(const BlockMethod&, BackendKind, Precision, const Grid&, const Config&);

}  // namespace cfdmark
