// What all families of solvers have in common here: what a record says of a solve (results/README.md,
// `solver`), and a row of the catalog.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/catalog/catalog.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/core/convergence.hpp"
#include "solvers/core/outcome.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// The solve that a record describes: the verified one, or the first of a process that verifies nothing. All
// solves of a case are the same; of the later ones only the number of iterations is kept, to check that.
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
  int iterations() const { return iterations_; }  // of the last solve

  // Takes the times of a solve that was timed by routine.
  void take_routines(Outcome timed) {
    outcome_->routines = std::move(timed.routines);
    outcome_->level_times = std::move(timed.level_times);
  }

 private:
  std::optional<Outcome> outcome_;
  int iterations_ = 0;
};

// As a record has it.
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

// "solvers/linear/cg.cpp" from the place in that file; nothing for the row that says that a backend is not
// there.
inline std::string solver_file(SourcePlace where) {
  const std::string file = where.file;
  const auto begin = file.rfind("solvers/");
  return begin == std::string::npos ? "" : file.substr(begin);
}

// What a row of every solver has, whatever its family, with the problems of a table.
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
  row.asked = solve_settings();
  for (const auto& problem : problems) row.problems.push_back({problem.name, problem.settings});
  row.unavailable = unavailable_reason(kind);
  return row;
}

// A row of each solver of a family's table, on each backend and in each precision, for each of its methods;
// where a backend is not there, for the textbook's, to say so. row(solver, backend, precision, method) makes
// it.
template <class Table, class MakeRow>
void add_rows_of_solvers(std::vector<Row>& rows, const Table& table, const char* textbook, MakeRow row) {
  for (const auto& solver : table)
    for (BackendKind kind : all_backends) {
      auto methods = solver.methods(kind);
      if (methods.empty() && !unavailable_reason(kind).empty()) methods = {{textbook, {}, nullptr}};
      for (Precision p : all_precisions)
        for (const auto& method : methods) rows.push_back(row(solver, kind, p, method));
    }
}

// The method of a solver's row. Throws std::logic_error if it has none.
template <class Solver>
auto method_of_row(const Solver& solver, const Row& row) {
  for (auto& method : solver.methods(row.backend))
    if (method.name == row.method) return method;
  throw std::logic_error(row.name + " has no method " + row.method);
}

}  // namespace cfdmark
