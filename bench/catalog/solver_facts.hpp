// Common to all families of solvers: the `solver` object of a record (results/README.md), and rows of the
// catalog.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/case/row.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/base/convergence.hpp"
#include "solvers/base/outcome.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// The solve that a record describes: the verified one, or the first of a process without verification. All
// solves of a case are equal; of later ones only the iterations are kept, to check that.
class DescribedSolve {
 public:
  void describe(Outcome outcome) {
    outcome_ = std::move(outcome);
    iterations_ = outcome_->iterations;
  }
  void add(Outcome outcome) {
    if (!outcome_) return describe(std::move(outcome));
    iterations_ = outcome.iterations;
  }
  Outcome& outcome() { return *outcome_; }
  const Outcome& outcome() const { return *outcome_; }
  // Returns the iterations of the last solve.
  int iterations() const { return iterations_; }

  // Takes the routine times of a solve timed by routine.
  void take_routines(Outcome timed) {
    outcome_->routines = std::move(timed.routines);
    outcome_->level_times = std::move(timed.level_times);
  }

 private:
  std::optional<Outcome> outcome_;
  int iterations_ = 0;
};

// Converts a judgement to the verification of a record.
inline Verification verification_of(const Judgement& judgement, const char* check) {
  return {judgement.wrong.empty(), check, judgement.difference, judgement.wrong};
}

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

// Returns "solvers/linear/krylov/cg.cpp" from a source location; empty for the row of a backend that is not
// available.
inline std::string solver_file(SourcePlace where) {
  const std::string file = where.file;
  const auto begin = file.rfind("solvers/");
  return begin == std::string::npos ? "" : file.substr(begin);
}

// Returns why rows of a backend and precision cannot run here; empty if they can.
inline std::string unavailable_reason(BackendKind kind, Precision p) {
  const std::string reason = not_built_reason(p);
  return reason.empty() ? unavailable_reason(kind) : reason;
}
// Returns true if a kernel or solver lacks these methods in this build.
template <class Methods>
bool is_not_built(const Methods& methods, BackendKind kind, Precision p) {
  return methods.empty() ? !unavailable_reason(kind).empty() : !not_built_reason(p).empty();
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
