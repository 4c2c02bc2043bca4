// Common to the rows of all families of solvers: their workload, the `solver` object of its record
// (results/README.md), and their entries in the catalog.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/not_built.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/base/convergence.hpp"
#include "solvers/base/outcome.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

inline nlohmann::json facts_of(const Outcome& outcome) {
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

// A prepared solver as a workload: one step is one solve from the initial guess. Prepared: PreparedSolver,
// PreparedFlow or PreparedBlocks.
//
// All solves of a case are equal. Its record describes the verified one, or the first of a process without
// verification. Of later ones only the iterations are kept, to check that.
template <class Prepared>
class SolveWorkload : public Workload {
 public:
  template <class... Arguments>
  explicit SolveWorkload(const Config& workload, Arguments&&... arguments)
      : prepared_(std::forward<Arguments>(arguments)...),
        tolerance_(workload.real("tolerance")),
        max_iterations_(workload.integer("max_iterations")) {}

  void reset() final { prepared_.reset(); }
  bool needs_reset() const final { return true; }
  void run() final {
    Outcome outcome = prepared_.solve(tolerance_, max_iterations_);
    iterations_ = outcome.iterations;
    if (!outcome_) outcome_ = std::move(outcome);
  }
  int iterations() const final { return iterations_; }
  // Runs a separate solve, which is not timed as a whole.
  void time_routines() final {
    reset();
    Outcome timed = prepared_.solve_by_routine(tolerance_, max_iterations_);
    outcome_->routines = std::move(timed.routines);
    outcome_->level_times = std::move(timed.level_times);
  }

  Cost cost() const final { return outcome_->cost; }
  Resources resources() const final { return prepared_.solver().resources(); }

  nlohmann::json solver_facts() final {
    nlohmann::json facts = facts_of(*outcome_);
    facts["tolerance"] = tolerance_;
    if (judgement_) {
      facts["converged"] = judgement_->converged;
      facts["true_residual"] = judgement_->true_residual;
    }
    facts["error_history"] = error_history_;
    facts["launches_per_iteration"] = resources().launches;
    add_facts(facts);
    return facts;
  }

 protected:
  virtual void add_facts(nlohmann::json&) const {}

  // Solves from the initial guess and returns the outcome that the record describes. Also records the error
  // at each check, if given.
  Outcome& solve_described(const std::function<double()>& error = nullptr) {
    reset();
    error_history_.clear();
    if (error)
      prepared_.solver().on_check = [this, error](const Outcome& so_far) {
        error_history_.emplace_back(so_far.iterations, error());
      };
    outcome_ = prepared_.solve(tolerance_, max_iterations_);
    iterations_ = outcome_->iterations;
    prepared_.solver().on_check = nullptr;
    return *outcome_;
  }
  // Judges the described solve by its true residual.
  template <class Solution>
  Verification judge(const Solution& solution, const char* check) {
    judgement_ = prepared_.judge(*outcome_, solution, tolerance_);
    return {judgement_->wrong.empty(), check, judgement_->difference, judgement_->wrong};
  }

  Prepared prepared_;
  double tolerance_;
  int max_iterations_;
  std::optional<Judgement> judgement_;  // empty in a process without verification

 private:
  std::optional<Outcome> outcome_;
  int iterations_ = 0;  // of the last solve
  std::vector<std::pair<int, double>> error_history_;
};

// Returns the problem of a workload, as make(problem, grid, settings) makes it. The last one is kept and
// shared by its cases. `family` distinguishes problems of one name.
template <class Problem, class Make>
auto shared_problem_of(const char* family, const Problem& problem, const Grid& grid, const Config& workload,
                       const Make& make) {
  Config settings = TuningSpace{problem.settings}.defaults();
  settings.take_known(workload);
  return keep_problem(fmt::format("{} {} {} {}", family, problem.name, grid_text(grid), settings.text()),
                      [&] { return make(problem, grid, settings); });
}

// Returns "solvers/linear/krylov/cg.cpp" from a source location; empty for the row of a backend that is not
// available.
inline std::string solver_file(SourcePlace where) {
  const std::string file = where.file;
  const auto begin = file.rfind("solvers/");
  return begin == std::string::npos ? "" : file.substr(begin);
}

// Returns a row with the parts common to all families of solvers, and the problems of a table.
template <class Method, class Problems>
Row row_of_solver(const std::string& name, BackendKind kind, Precision p, const Method& method,
                  const Problems& problems) {
  Row row;
  row.kind = RowKind::solver;
  row.name = name;
  row.backend = kind;
  row.precision = p;
  row.method = method.name;
  row.space = method.space;
  row.source = solver_file(method.described_at);
  row.workload_settings = solve_settings();
  for (const auto& problem : problems) row.problems.push_back({problem.name, problem.settings});
  row.unavailable = unavailable_reason(kind, p);
  return row;
}

// Adds a row per solver, backend, precision and method of a family's table. For a backend or precision that
// is not built only `textbook` is added, to state the reason. row(solver, backend, precision, method) makes
// each row.
template <class Table, class MakeRow>
void add_rows_of_solvers(std::vector<Row>& rows, const Table& table, const char* textbook, MakeRow row) {
  for (const auto& solver : table)
    for (BackendKind kind : all_backends) {
      const auto methods = solver.methods(kind);
      const decltype(solver.methods(kind)) none = {{textbook, {}, nullptr}};
      for (Precision p : all_precisions)
        for (const auto& method : is_not_built(methods, kind, p) ? none : methods)
          rows.push_back(row(solver, kind, p, method));
    }
}

// Returns the method of a solver's row. Throws std::logic_error if it does not exist.
template <class Solver>
auto method_of_row(const Solver& solver, const Row& row) {
  for (auto& method : solver.methods(row.backend))
    if (method.name == row.method) return method;
  throw std::logic_error(row.name + " has no method " + row.method);
}

}  // namespace cfdmark
