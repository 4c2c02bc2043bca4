#include "bench/catalog/block_rows.hpp"

#include <map>

#include "bench/catalog/solver_rows.hpp"

namespace cfdmark {
namespace {

class BlockWorkload final : public SolveWorkload<PreparedBlocks> {
 public:
  BlockWorkload(const BlockMethod& method, Backend& backend, const Config& config, const Config& workload,
                const std::shared_ptr<const StoredBlocks>& stored)
      : SolveWorkload(workload, method, backend, config, stored),
        field_bytes_(
            block_solver_bytes(method, backend.kind(), stored->precision, stored->problem->grid, config)) {}

  Verification verify() override {
    Outcome& outcome = solve_described([this] { return prepared_.largest_error(prepared_.solution()); });
    const HostField x = prepared_.solution();
    outcome.results = {{"error_max", prepared_.largest_error(x)}};
    return judge(x, "the claimed residual against b - A x in 64 bits on the host");
  }
  std::size_t field_bytes() const override { return field_bytes_; }

 private:
  std::size_t field_bytes_;
};

// A problem and its stored form in each requested precision.
class KeptBlocks {
 public:
  explicit KeptBlocks(BlockProblem problem)
      : problem_(std::make_shared<const BlockProblem>(std::move(problem))) {}

  std::shared_ptr<const StoredBlocks> stored(Precision precision) const {
    std::shared_ptr<const StoredBlocks>& stored = stored_[precision];
    if (!stored) stored = std::make_shared<const StoredBlocks>(problem_, precision);
    return stored;
  }

 private:
  std::shared_ptr<const BlockProblem> problem_;
  mutable std::map<Precision, std::shared_ptr<const StoredBlocks>> stored_;
};

Row block_row(const BlockSolverDescription& solver, BackendKind kind, Precision p,
              const BlockMethod& method) {
  Row row = row_of_solver(solver.name, kind, p, method, block_problem_table());
  row.in_2d = false;
  if (method.preferred)
    row.preferred = [method, p](const Grid& g, const Config&) { return method.preferred(g, p); };
  row.field_bytes = [=](const Grid& g, const Config&) {
    return double(block_solver_bytes(method, kind, p, g, method.space.defaults()));
  };
  // The problem, its stored matrices, b, and the solution with its residual.
  row.host_bytes = [](const Grid& g, const Config&) { return 2.5 * block_problem_bytes(g); };
  row.prepare = [=](Backend& on, const Grid& g, const Config& config, const Config& workload) {
    return std::make_unique<BlockWorkload>(method, on, config, workload,
                                           shared_stored_blocks(workload, g, p));
  };
  return row;
}

}  // namespace

std::shared_ptr<const StoredBlocks> shared_stored_blocks(const Config& workload, const Grid& grid,
                                                         Precision precision) {
  const auto make = [](const BlockProblemDescription& problem, const Grid& g, const Config& settings) {
    return KeptBlocks(make_block_problem(problem, g, settings));
  };
  return shared_problem_of("blocks", *find_block_problem(workload.choice("problem")), grid, workload, make)
      ->stored(precision);
}

BlockMethod block_method_of(const Row& row) { return method_of_row(*find_block_solver(row.name), row); }

void add_block_rows(std::vector<Row>& rows) {
  add_rows_of_solvers(rows, block_solver_table(), "plain", block_row);
}

}  // namespace cfdmark
