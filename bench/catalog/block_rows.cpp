#include "bench/catalog/block_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "bench/catalog/case.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/solver_facts.hpp"
#include "solvers/core/diverged_by.hpp"

namespace cfdmark {
namespace {

// One step is one solve from x = 0.
class BlockWorkload final : public Workload {
 public:
  BlockWorkload(const BlockMethod& method, Backend& backend, const Config& config, const Config& question,
                const std::shared_ptr<const StoredBlocks>& stored)
      : precision_(stored->precision),
        tolerance_(question.real("tolerance")),
        max_iterations_(question.whole("max_iterations")),
        prepared_(method, backend, config, stored),
        field_bytes_(block_solver_bytes(method, backend.kind(), precision_, stored->problem->grid, config)) {}

  void reset() override { prepared_.reset(); }
  bool needs_reset() const override { return true; }
  // What is known of the verified solve's answer stays: it is the same.
  void run() override {
    Outcome next = prepared_.solve(tolerance_, max_iterations_);
    next.results = std::move(outcome_.results), next.routines = std::move(outcome_.routines);
    outcome_ = std::move(next);
  }

  // Also the error at each check of this one run, which is not timed. The solver must not claim another
  // residual than its answer has, but for the rounding of b - A x.
  Verification verify() override {
    reset();
    error_history_.clear();
    prepared_.solver().on_check = [this](const Outcome& so_far) {
      error_history_.emplace_back(so_far.iterations, prepared_.largest_error(prepared_.solution()));
    };
    run();
    prepared_.solver().on_check = nullptr;
    const HostField x = prepared_.solution();
    true_residual_ = prepared_.true_residual(x);
    outcome_.results = {{"error_max", prepared_.largest_error(x)}};
    Verification v;
    v.check = "the claimed residual against b - A x in 64 bits on the host";
    if (const auto step = diverged_by(outcome_)) {
      v.reason = fmt::format("diverged by step {}", *step);
      return v;
    }
    v.max_error = std::abs(true_residual_ - outcome_.relative_residual);
    const double unit = roundoff(precision_ == Precision::fp32 ? Precision::fp32 : Precision::fp64);
    v.passed = v.max_error <= 0.01 * outcome_.relative_residual + 64 * unit;  // false for NaN
    if (!v.passed)
      v.reason = fmt::format("the solver claims a relative residual of {:.3g}, but it is {:.3g}",
                             outcome_.relative_residual, true_residual_);
    return v;
  }

  void time_routines() override {
    reset();
    outcome_.routines = prepared_.solve_by_routine(tolerance_, max_iterations_).routines;
  }

  Cost cost() const override { return outcome_.cost; }
  Resources resources() const override { return prepared_.solver().resources(); }
  std::size_t field_bytes() const override { return field_bytes_; }

  nlohmann::json solver_facts() override {
    nlohmann::json facts = facts_of(outcome_);
    facts["tolerance"] = tolerance_;
    facts["true_residual"] = true_residual_;
    facts["error_history"] = error_history_;
    facts["launches_per_iteration"] = resources().launches;
    return facts;
  }

 private:
  Precision precision_;
  double tolerance_;
  int max_iterations_;
  PreparedBlocks prepared_;
  std::size_t field_bytes_;
  Outcome outcome_;
  double true_residual_ = 0;
  std::vector<std::pair<int, double>> error_history_;
};

// A problem, with what the precisions that were asked for make of it.
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
  // The problem, its matrices as they are stored, b, and the answer with its residual.
  row.host_bytes = [](const Grid& g, const Config&) { return 2.5 * block_problem_bytes(g); };
  row.prepare = [=](Backend& on, const Grid& g, const Config& config, const Config& question) {
    return std::make_unique<BlockWorkload>(method, on, config, question,
                                           shared_stored_blocks(question, g, p));
  };
  return row;
}

}  // namespace

std::shared_ptr<const StoredBlocks> shared_stored_blocks(const Config& question, const Grid& grid,
                                                         Precision precision) {
  const BlockProblemDescription& problem = *find_block_problem(question.word("problem"));
  Config settings = TuningSpace{problem.settings}.defaults();
  settings.take_known(question);
  const std::string key = fmt::format("blocks {} {} {}", problem.name, grid_text(grid), settings.text());
  return keep_problem(key, [&] { return KeptBlocks(make_block_problem(problem, grid, settings)); })
      ->stored(precision);
}

BlockMethod block_method_of(const Row& row) { return method_of_row(*find_block_solver(row.name), row); }

void add_block_rows(std::vector<Row>& rows) {
  add_rows_of_solvers(rows, block_solver_table(), "plain", block_row);
}

}  // namespace cfdmark
