// A prepared solve as a workload: one step is one solve from the initial guess.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/catalog/solver_rows.hpp"
#include "solvers/base/prepared_solve.hpp"
#include "solvers/base/ranked_solve.hpp"

namespace cfdmark {

// A verified solve took longer than its limit.
struct SolveTimeout : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Sets the limit of the verified solves of this process, in seconds. They end with SolveTimeout at their next
// residual check, so that a slow case costs no process. Infinity, the default: no limit.
void set_solve_limit(double seconds);
double solve_limit();

// All solves of a case are equal. Its record describes the verified one, or the first of a process without
// verification. Of later ones only the iterations are kept, to check that.
class SolveWorkload final : public Workload {
 public:
  // `workload` has tolerance and max_iterations. `levels` are those with which the solve was prepared.
  SolveWorkload(std::unique_ptr<PreparedSolve>, std::shared_ptr<const Problem>, const Config& workload,
                LevelLookup levels);

  void reset() override { prepared_->reset(); }
  bool needs_reset() const override { return true; }
  void run() override;
  int iterations() const override { return iterations_; }
  Verification verify() override;
  // Runs a separate solve, which is not timed as a whole.
  void time_routines() override;

  Cost cost() const override { return outcome_->cost; }
  Resources resources() const override { return prepared_->solver().resources(); }
  std::size_t field_bytes() const override { return prepared_->field_bytes(); }
  nlohmann::json solver_facts() override;
  nlohmann::json mesh_facts() const override;
  nlohmann::json rank_facts() const override;

 private:
  std::unique_ptr<PreparedSolve> prepared_;
  std::shared_ptr<const Problem> problem_;
  double tolerance_;
  int max_iterations_;
  LevelLookup levels_;
  std::optional<Outcome> outcome_;      // of the described solve
  std::optional<Judgement> judgement_;  // empty in a process without verification
  int iterations_ = 0;                  // of the last solve
  std::vector<std::pair<int, double>> error_history_;
  std::vector<std::vector<RankSeconds>> rank_seconds_;  // by solve of this process, then by rank
  std::vector<std::vector<RankDetail>> rank_details_;   // the same
};

}  // namespace cfdmark
