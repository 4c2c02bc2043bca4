#include "bench/solve/ranked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/ranks/rank_process.hpp"
#include "solvers/flow/ranked_flow.hpp"
#include "solvers/flow/table.hpp"
#include "solvers/linear/device_parts.hpp"
#include "solvers/linear/ranked_method.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

const SolverDescription& description_of(const Row& row) {
  const auto& table = solver_table();
  return *std::find_if(table.begin(), table.end(),
                       [&](const auto& solver) { return solver.name == row.name; });
}

SolverMethod method_of(const Row& row) {
  for (const SolverMethod& method : description_of(row).methods(row.backend))
    if (method.name == row.method) return on_ranks_of(row.backend, method);
  throw std::invalid_argument(fmt::format("{} has no method {} on ranks", row.name, row.method));
}

SolverMethod method_on_ranks(const Row& row, const SolveCase& asked) {
  const PartShape shape = PartShape::from(asked.partition);
  return asked.process ? on_ranks(method_of(row), asked.process->ranks(), shape)
                       : on_ranks(method_of(row), asked.ranks, shape);
}

bool is_flow(const Row& row) { return row.family->name == "flow"; }

FlowMethod flow_method_on_ranks(const Row& row, const SolveCase& asked) {
  for (const FlowMethod& method : find_flow_solver(row.name)->methods(row.backend))
    if (method.name == row.method) {
      const PartShape shape = PartShape::from(asked.partition);
      return asked.process ? on_flow_ranks(method, asked.process->ranks(), shape)
                           : on_flow_ranks(method, asked.ranks, shape);
    }
  throw std::invalid_argument(fmt::format("{} has no method {} on ranks", row.name, row.method));
}

SystemShape shape_of(const SolveCase& asked, const Row& row) {
  const ProblemDescription& problem = find_problem(asked.workload.choice("problem"));
  return {asked.domain.box(), !has_arrays(problem), row.precision, sides_of(problem)};
}

}  // namespace

void check_ranks(const SolveRequest& request, const Row& of_solver) {
  if (of_solver.family->name != "linear" && !is_flow(of_solver))
    throw std::invalid_argument(
        fmt::format("{} does not run on ranks; remove --ranks, or use a linear solver such as cg, or "
                    "projection, simple or piso",
                    of_solver.name));
  const bool are_processes = request.join == "mpi", is_linear = of_solver.family->name == "linear";
  std::vector<BackendKind> kinds = {BackendKind::serial};
  if (are_processes) kinds.push_back(BackendKind::openmp);
  if (!are_processes && is_linear) kinds.push_back(BackendKind::cuda);
  if (std::count(kinds.begin(), kinds.end(), of_solver.backend) == 0) {
    const auto listed = [&](const char* between) {
      return std::string(to_string(kinds.front())) +
             (kinds.size() > 1 ? between + std::string(to_string(kinds.back())) : "");
    };
    throw std::invalid_argument(fmt::format(
        "ranks of {} joined by {} run on {}, not on {}; use --backend {} or remove --ranks", of_solver.name,
        request.join, listed(" and "), to_string(of_solver.backend), listed(" or ")));
  }
  if (request.routines) throw std::invalid_argument("--routines does not support ranks; remove --ranks");
  if (!request.history.empty() || request.vtk_every > 0 || request.mean_from || !request.save.empty() ||
      !request.restart.empty())
    throw std::invalid_argument(
        "--history, --vtk-every, --mean-from, --save and --restart do not support ranks; remove --ranks");
  if (request.tuned) throw std::invalid_argument("there are no tuned tables for ranks; remove --tuned");
  PartShape::from(request.partition);
}

const Row& first_row_on_ranks(const std::vector<const Row*>& rows, const SolveCase& asked) {
  if (is_flow(*rows.front())) return default_row(rows, asked.domain, asked.workload);
  const SystemShape shape = shape_of(asked, *rows.front());
  std::string reason;
  const Row* first = nullptr;
  for (const Row* row : rows) {
    const std::string of_row = method_on_ranks(*row, asked).why_unsupported(shape);
    if (of_row.empty() && method_of(*row).is_preferred(shape)) return *row;
    if (of_row.empty() && !first) first = row;
    if (reason.empty()) reason = of_row;
  }
  if (first) return *first;
  throw std::invalid_argument(fmt::format("{}: {}", rows.front()->name, reason));
}

void check_parts(const SolveCase& asked) {
  if (is_flow(*asked.row)) {
    Partition::of(asked.domain.box(), asked.ranks, PartShape::from(asked.partition));
    return;
  }
  const SystemShape shape = shape_of(asked, *asked.row);
  const std::string reason = method_on_ranks(*asked.row, asked).why_unsupported(shape);
  if (!reason.empty()) throw std::invalid_argument(fmt::format("{}: {}", asked.row->name, reason));
  Partition::of(shape.grid, asked.ranks, PartShape::from(asked.partition), 1, shape.sides.periodic);
}

std::unique_ptr<PreparedSolve> prepare_on_ranks(const SolveCase& asked,
                                                std::shared_ptr<const Problem> problem) {
  if (is_flow(*asked.row))
    return std::make_unique<PreparedFlow>(*find_flow_solver(asked.row->name),
                                          flow_method_on_ranks(*asked.row, asked), *asked.on,
                                          asked.row->precision, asked.config, as<FlowProblem>(problem));
  return std::make_unique<PreparedSolver>(description_of(*asked.row), method_on_ranks(*asked.row, asked),
                                          *asked.on, asked.row->precision, asked.config,
                                          as<LinearProblem>(problem));
}

}  // namespace cfdmark
