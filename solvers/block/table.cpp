#include "solvers/block/table.hpp"

#include "kernels/backends/counting.hpp"
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

PreparedBlocks::PreparedBlocks(const BlockMethod& method, Backend& backend, Precision precision,
                               const Config& config, std::shared_ptr<const BlockProblem> problem)
    : problem_(std::move(problem)),
      matrices_(converted(problem_->matrices, storage_of(precision))),
      system_(backend, precision, problem_->grid, problem_->description->residual, &clock_) {
  const HostField zero(problem_->exact.grid(), Precision::fp64);
  HostField minus_b =
      block_residual(*problem_->description, problem_->grid, matrices_, zero, problem_->exact);
  for_each_cell_in_parallel(minus_b.grid(), false,
                            [&](int i, int j, int k) { minus_b.set(i, j, k, -minus_b.get(i, j, k)); });
  b_ = converted(minus_b, system_.outer());
  system_.matrices.upload(matrices_);
  system_.b.upload(b_);
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
  const Grid& g = problem_->grid;
  return block_norm(g, block_residual(*problem_->description, g, matrices_, b_, x)) / block_norm(g, b_);
}

std::size_t block_solver_bytes(const BlockMethod& method, BackendKind kind, Precision precision,
                               const Grid& grid, const Config& config) {
  return counted_bytes(kind, [&](Backend& counting) {
    BlockSystem system(counting, precision, grid, BlockSweep::residual);
    if (method.prepare) method.prepare(system, config);
  });
}

}  // namespace cfdmark
