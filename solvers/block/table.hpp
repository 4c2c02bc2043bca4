// The table of block solvers, and a solve with all its resources.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/base/prepared_solve.hpp"
#include "solvers/block/method.hpp"

namespace cfdmark {

const std::vector<BlockSolverDescription>& block_solver_table();
std::vector<std::string> block_solver_names();
// Returns null for an unknown name.
const BlockSolverDescription* find_block_solver(std::string_view name);

class PreparedBlocks final : public PreparedSolve {
 public:
  PreparedBlocks(const BlockMethod&, Backend&, Precision, const Config&, std::shared_ptr<const BlockProblem>);

  // The shape of a problem: its grid and its kind of residual.
  void load(std::shared_ptr<const Problem>) override;
  void reset() override;  // sets x to 0
  Judgement verify(Outcome&, double tolerance) override;
  std::function<double()> error() const override;
  Solver& solver() const override { return *solver_; }
  std::size_t field_bytes() const override { return field_bytes_; }

  HostField solution() const { return system_.x.download(); }
  // Returns ||b - A x|| / ||b|| with the matrices as stored, computed in double precision on the host.
  double true_residual(const HostField& x) const;
  // Returns the largest difference from the exact unknowns.
  double largest_error(const HostField& x) const {
    return largest_block_difference(problem_->grid, x, problem_->exact);
  }

 private:
  void upload();

  std::shared_ptr<const BlockProblem> problem_;
  BlockSystem system_;
  std::unique_ptr<Solver> solver_;
  std::size_t field_bytes_;
};

// Returns the bytes that a PreparedBlocks allocates on a backend.
std::size_t block_solver_bytes(const BlockMethod&, BackendKind, Precision, const Grid&, const Config&);

}  // namespace cfdmark
