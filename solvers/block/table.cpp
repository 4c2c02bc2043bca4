#include "solvers/block/table.hpp"

#include <fmt/format.h>

#include "kernels/device/backends/counting.hpp"

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
      system_(backend, precision, problem_->grid, problem_->description->residual, &clock_) {
  upload();
  solver_ = std::make_unique<Solver>(backend, method.prepare(system_, config), config, &clock_);
  field_bytes_ = block_solver_bytes(method, backend.kind(), precision, problem_->grid, config);
}

void PreparedBlocks::load(std::shared_ptr<const Problem> next) {
  const auto problem = as<BlockProblem>(next);
  if (problem->grid != problem_->grid || problem->description->residual != problem_->description->residual)
    throw std::invalid_argument(
        fmt::format("{} has another shape than {}: grid and residual must be the same",
                    problem->description->name, problem_->description->name));
  problem_ = problem;
  upload();
}

void PreparedBlocks::upload() {
  system_.matrices.upload(problem_->stored_matrices(system_.precision));
  system_.b.upload(problem_->right_hand_side(system_.precision));
}

void PreparedBlocks::reset() {
  system_.backend.set_zero(system_.x.data(), system_.x.bytes());
  system_.backend.fence();
}

double PreparedBlocks::true_residual(const HostField& x) const {
  const HostField& b = problem_->right_hand_side(system_.precision);
  const HostField r = block_residual(*problem_->description, problem_->grid,
                                     problem_->stored_matrices(system_.precision), b, x);
  return relative_to_first(block_norm(problem_->grid, r), block_norm(problem_->grid, b));
}

// Claimed and true residual differ by the rounding of b - A x.
Judgement PreparedBlocks::verify(Outcome& outcome, double tolerance) {
  const HostField x = solution();
  outcome.results = {{"error_max", largest_error(x)}};
  const double unit = roundoff(system_.precision == Precision::fp32 ? Precision::fp32 : Precision::fp64);
  Judgement judgement =
      judge(outcome, true_residual(x), tolerance, 0.01 * outcome.relative_residual + 64 * unit);
  judgement.check = "the claimed residual against b - A x in 64 bits on the host";
  return judgement;
}

std::function<double()> PreparedBlocks::error() const {
  return [this] { return largest_error(solution()); };
}

std::size_t block_solver_bytes(const BlockMethod& method, BackendKind kind, Precision precision,
                               const Grid& grid, const Config& config) {
  return counted_bytes(kind, [&](Backend& counting) {
    BlockSystem system(counting, precision, grid, BlockSweep::residual);
    if (method.prepare) method.prepare(system, config);
  });
}

}  // namespace cfdmark
