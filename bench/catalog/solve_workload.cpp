#include "bench/catalog/solve_workload.hpp"

#include <fmt/format.h>

#include <limits>

#include "bench/catalog/mesh_problem.hpp"
#include "bench/catalog/rank_details_json.hpp"
#include "bench/catalog/ranks_json.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/seconds_now.hpp"

namespace cfdmark {
namespace {

double limit_of_solves = std::numeric_limits<double>::infinity();

nlohmann::json facts_of(const Outcome& outcome) {
  nlohmann::json facts = {{"iterations", outcome.iterations},
                          {"converged", outcome.converged},
                          {"relative_residual", outcome.relative_residual},
                          {"residuals", nlohmann::json::object()},
                          {"history", outcome.history}};
  for (const NamedValue& r : outcome.residuals) facts["residuals"][r.name] = r.value;
  for (const NamedValue& result : outcome.results) facts[result.name] = result.value;
  const auto add_times = [&](const char* name, const std::vector<RoutineTime>& times) {
    for (const RoutineTime& t : times)
      facts[name].push_back({{"name", t.name}, {"seconds", t.seconds}, {"calls", t.calls}});
  };
  add_times("routines", outcome.routines);
  add_times("level_times", outcome.level_times);
  return facts;
}

void add(nlohmann::json& facts, const Judgement& judgement) {
  facts["converged"] = judgement.converged;
  facts["true_residual"] = judgement.true_residual;
  for (const NamedValue& fact : judgement.facts) facts[fact.name] = fact.value;
  for (const PublishedValue& known : judgement.published)
    facts["published"].push_back(
        {{"name", known.name}, {"value", known.value}, {"source", known.source}, {"time", known.time}});
}

}  // namespace

void set_solve_limit(double seconds) { limit_of_solves = seconds; }
double solve_limit() { return limit_of_solves; }

SolveWorkload::SolveWorkload(std::unique_ptr<PreparedSolve> prepared, std::shared_ptr<const Problem> problem,
                             const Config& workload, LevelLookup levels)
    : prepared_(std::move(prepared)),
      problem_(std::move(problem)),
      tolerance_(workload.real("tolerance")),
      max_iterations_(workload.integer("max_iterations")),
      levels_(std::move(levels)) {}

void SolveWorkload::run() {
  Outcome outcome = prepared_->solve(tolerance_, max_iterations_);
  iterations_ = outcome.iterations;
  if (!outcome_) outcome_ = std::move(outcome);
  if (const auto facts = prepared_->rank_facts()) rank_seconds_.push_back(facts->of_a_solve);
  if (const auto* ranked = dynamic_cast<const RankedSolve*>(prepared_.get()))
    rank_details_.push_back(ranked->details());
}

// Records the error at each residual check, too, if the solve knows it.
Verification SolveWorkload::verify() {
  reset();
  error_history_.clear();
  const double end = seconds_now() + limit_of_solves;
  const auto error = prepared_->error();
  if (error || end < std::numeric_limits<double>::infinity())
    prepared_->solver().on_check = [this, error, end](const Outcome& so_far) {
      if (seconds_now() > end)
        throw SolveTimeout(fmt::format("the solve did not end within {}", seconds_text(limit_of_solves)));
      if (error) error_history_.emplace_back(so_far.iterations, error());
    };
  outcome_ = prepared_->solve(tolerance_, max_iterations_);
  iterations_ = outcome_->iterations;
  prepared_->solver().on_check = nullptr;
  judgement_ = prepared_->verify(*outcome_, tolerance_);
  return {judgement_->wrong.empty(), judgement_->check, judgement_->difference, judgement_->wrong};
}

void SolveWorkload::time_routines() {
  reset();
  Outcome timed = prepared_->solve_by_routine(tolerance_, max_iterations_);
  outcome_->routines = std::move(timed.routines);
  outcome_->level_times = std::move(timed.level_times);
}

nlohmann::json SolveWorkload::solver_facts() {
  nlohmann::json facts = facts_of(*outcome_);
  facts["tolerance"] = tolerance_;
  if (judgement_) add(facts, *judgement_);
  facts["error_history"] = error_history_;
  facts["launches_per_iteration"] = resources().launches;
  if (levels_.found) facts["level_configs"] = levels_.found();
  return facts;
}

nlohmann::json SolveWorkload::mesh_facts() const {
  return problem_->own_mesh() ? cfdmark::mesh_facts(*problem_->own_mesh()) : nlohmann::json();
}

nlohmann::json SolveWorkload::rank_facts() const {
  const auto facts = prepared_->rank_facts();
  if (!facts) return nullptr;
  nlohmann::json json = ranks_json(*facts, rank_seconds_);
  add_details(json, rank_details_);
  return json;
}

}  // namespace cfdmark
