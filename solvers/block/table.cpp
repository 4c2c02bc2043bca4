#include "solvers/block/table.hpp"

#include "kernels/device/backends/counting.hpp"
#include "solvers/problems/problem.hpp"

namespace cfdmark {

const std::vector<BlockSolverDescription>& block_solver_table() {
  static const std::vector<BlockSolverDescription> table = {
      block_jacobi_solver(), block_ssor_solver(), block_revised_ssor_solver(), block_red_black_solver()};
  return table;
}

std::vector<std::string> block_solver_names() {
  std::vector<std::string> names;
  for (const BlockSolverDescription& solver : block_solver_table()) names.push_back(solver.name);
  return names;
}

const BlockSolverDescription* find_block_solver(std::string_view name) {
  for (const BlockSolverDescription& solver : block_solver_table())
    if (solver.name == name) return &solver;
  return nullptr;
}

StoredBlocks::StoredBlocks(std::shared_ptr<const BlockProblem> of, Precision p)
    : problem(std::move(of)), precision(p) {
  matrices = problem->matrices.storage() == storage_of(p)
                 ? std::shared_ptr<const HostField>(problem, &problem->matrices)
                 : std::make_shared<const HostField>(converted(problem->matrices, storage_of(p)));
  const HostField zero(problem->exact.grid(), Precision::fp64);
  HostField minus_b = block_residual(*problem->description, problem->grid, *matrices, zero, problem->exact);
  for_each_cell_in_parallel(minus_b.grid(), false,
                            [&](int i, int j, int k) { minus_b.set(i, j, k, -minus_b.get(i, j, k)); });
  b = converted(minus_b, BlockSystem::outer(p));
}

PreparedBlocks::PreparedBlocks(const BlockMethod& method, Backend& backend, const Config& config,
                               std::shared_ptr<const StoredBlocks> stored)
    : stored_(std::move(stored)),
      system_(backend, stored_->precision, stored_->problem->grid, stored_->problem->description->residual,
              &clock_) {
  system_.matrices.upload(*stored_->matrices);
  system_.b.upload(stored_->b);
  solver_ = std::make_unique<Solver>(backend, method.prepare(system_, config), config, &clock_);
}

void PreparedBlocks::reset() {
  system_.backend.set_zero(system_.x.data(), system_.x.bytes());
  system_.backend.fence();
}

Outcome PreparedBlocks::solve_by_routine(double tolerance, int max_iterations) {
  clock_.start();
  Outcome outcome = solve(tolerance, max_iterations);
  clock_.stop();
  return outcome;
}

double PreparedBlocks::true_residual(const HostField& x) const {
  const BlockProblem& problem = *stored_->problem;
  const HostField r = block_residual(*problem.description, problem.grid, *stored_->matrices, stored_->b, x);
  return relative_to_first(block_norm(problem.grid, r), block_norm(problem.grid, stored_->b));
}

// Claimed and true residual differ by the rounding of b - A x.
Judgement PreparedBlocks::judge(const Outcome& outcome, const HostField& x, double tolerance) const {
  const double unit = roundoff(stored_->precision == Precision::fp32 ? Precision::fp32 : Precision::fp64);
  return cfdmark::judge(outcome, true_residual(x), tolerance, 0.01 * outcome.relative_residual + 64 * unit);
}

std::size_t block_solver_bytes(const BlockMethod& method, BackendKind kind, Precision precision,
                               const Grid& grid, const Config& config) {
  return counted_bytes(kind, [&](Backend& counting) {
    BlockSystem system(counting, precision, grid, BlockSweep::residual);
    if (method.prepare) method.prepare(system, config);
  });
}

}  // namespace cfdmark
