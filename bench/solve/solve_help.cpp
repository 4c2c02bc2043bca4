#include "bench/solve/solve_help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/case/case.hpp"
#include "bench/case/settings_help.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/text/words.hpp"
#include "solvers/families.hpp"

namespace cfdmark {
namespace {

using Rows = std::vector<const Row*>;

// Returns the methods of a solver on all backends that are built, each once.
std::string methods_text(const std::string& solver) {
  std::vector<std::string> names;
  for (const Row& row : catalog())
    if (row.kind == RowKind::solver && row.name == solver &&
        std::find(names.begin(), names.end(), row.method) == names.end())
      names.push_back(row.method);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string lists() {
  std::string text = "solvers and their methods:\n";
  for (const std::string& solver : all_solver_names()) text += help_line(solver, methods_text(solver));
  text += "\nproblems:\n";
  for (const Family& family : families())
    for (const FamilyProblem& problem : family.problems) text += help_line(problem.name, problem.help);
  return text +
         "\nTo see the settings of one, choose it:\n"
         "  cfdmark solve --problem cavity --help                  of a problem and its default solver\n"
         "  cfdmark solve --solver sor --help                      of a solver and its problems\n"
         "  cfdmark solve --solver sor --backend cuda --help       on another backend\n";
}

void check_is_known(const char* what, const std::string& name, const std::vector<std::string>& known) {
  if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
    throw std::invalid_argument(
        fmt::format("unknown {} '{}'; expected {}{}", what, name, one_of(known), did_you_mean(name, known)));
}

// Returns the methods of a solver on the chosen backend, else on the fastest that runs here.
Rows rows_of(const std::string& solver, const SolveRequest& request) {
  const Precision precision = precision_from(request.precision);
  std::vector<BackendKind> kinds = {BackendKind::cuda, BackendKind::openmp, BackendKind::serial};
  if (!request.backend.empty()) kinds = {backend_from(request.backend)};
  Rows rows;
  for (const BackendKind kind : kinds)
    for (const Row& row : catalog())
      if (row.kind == RowKind::solver && row.name == solver && row.backend == kind &&
          row.precision == precision && (row.unavailable.empty() || kinds.size() == 1) &&
          (rows.empty() || rows.front()->backend == kind))
        rows.push_back(&row);
  if (rows.empty())
    throw std::invalid_argument(fmt::format("{} has no method on {}", solver, to_string(kinds.front())));
  return rows;
}

Rows chosen_methods(Rows rows, const std::string& method) {
  std::vector<std::string> names;
  for (const Row* row : rows) names.push_back(row->method);
  check_is_known("method", method, names);
  if (!method.empty()) std::erase_if(rows, [&](const Row* row) { return row->method != method; });
  return rows;
}

}  // namespace

std::string solve_settings_help(const SolveRequest& request) {
  const bool has_body = !request.mask.empty() || !request.polygon.empty() || !request.outline.empty();
  const std::string problem = request.problem.empty() && has_body ? "tunnel" : request.problem;
  if (request.solver.empty() && problem.empty()) return lists();
  check_is_known("solver", request.solver, all_solver_names());
  check_is_known("problem", problem, all_problem_names());
  const bool in_3d = !request.grid.empty() && asked_grid(request.grid).is_3d();
  const std::string solver = request.solver.empty() ? usual_solver(problem, in_3d) : request.solver;
  const Rows methods = chosen_methods(rows_of(solver, request), request.method);
  const std::string of_methods = method_options_help(methods);
  return workload_options_help(methods, problem) + (of_methods.empty() ? "" : "\n") + of_methods;
}

}  // namespace cfdmark
