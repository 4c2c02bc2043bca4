#include "bench/catalog/block_rows.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "bench/case/case.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/solver_facts.hpp"

namespace cfdmark {
namespace {

// One step is one solve from x = 0.
class BlockWorkload final : public Workload {
 public:
  BlockWorkload(const BlockMethod& method, Backend& backend, const Config& config, const Config& workload,
                const std::shared_ptr<const StoredBlocks>& stored)
      : tolerance_(workload.real("tolerance")),
        max_iterations_(workload.integer("max_iterations")),
        prepared_(method, backend, config, stored),
        field_bytes_(
            block_solver_bytes(method, backend.kind(), stored->precision, stored->problem->grid, config)) {}

  void reset() override { prepared_.reset(); }
  bool needs_reset() const override { return true; }
  void run() override { solve_.add(prepared_.solve(tolerance_, max_iterations_)); }
  int iterations() const override { return solve_.iterations(); }

  // Also records the error at each check; this run is not timed.
  Verification verify() override {
    reset();
    error_history_.clear();
    prepared_.solver().on_check = [this](const Outcome& so_far) {
      error_history_.emplace_back(so_far.iterations, prepared_.largest_error(prepared_.solution()));
    };
    solve_.describe(prepared_.solve(tolerance_, max_iterations_));
    prepared_.solver().on_check = nullptr;
    const HostField x = prepared_.solution();
    solve_.outcome().results = {{"error_max", prepared_.largest_error(x)}};
    judgement_ = prepared_.judge(solve_.outcome(), x, tolerance_);
    return verification_of(*judgement_, "the claimed residual against b - A x in 64 bits on the host");
  }

  void time_routines() override {
    reset();
    solve_.take_routines(prepared_.solve_by_routine(tolerance_, max_iterations_));
  }

  Cost cost() const override { return solve_.outcome().cost; }
  Resources resources() const override { return prepared_.solver().resources(); }
  std::size_t field_bytes() const override { return field_bytes_; }

  nlohmann::json solver_facts() override {
    nlohmann::json facts = facts_of(solve_.outcome());
    facts["tolerance"] = tolerance_;
    if (judgement_) {
      facts["converged"] = judgement_->converged;
      facts["true_residual"] = judgement_->true_residual;
    }
    facts["error_history"] = error_history_;
    facts["launches_per_iteration"] = resources().launches;
    return facts;
  }

 private:
  double tolerance_;
  int max_iterations_;
  PreparedBlocks prepared_;
  std::size_t field_bytes_;
  DescribedSolve solve_;
  std::optional<Judgement> judgement_;  // empty in a process without verification
  std::vector<std::pair<int, double>> error_history_;
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
  const BlockProblemDescription& problem = *find_block_problem(workload.choice("problem"));
  Config settings = TuningSpace{problem.settings}.defaults();
  settings.take_known(workload);
  const std::string key = fmt::format("blocks {} {} {}", problem.name, grid_text(grid), settings.text());
  return keep_problem(key, [&] { return KeptBlocks(make_block_problem(problem, grid, settings)); })
      ->stored(precision);
}

BlockMethod block_method_of(const Row& row) { return method_of_row(*find_block_solver(row.name), row); }

void add_block_rows(std::vector<Row>& rows) {
  add_rows_of_solvers(rows, block_solver_table(), "plain", block_row);
}

}  // namespace cfdmark
