#include "bench/solve/solve.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/case/case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/device_choice.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/catalog/memory_check.hpp"
#include "bench/solve/choice.hpp"
#include "bench/solve/families.hpp"
#include "bench/solve/files.hpp"
#include "bench/solve/load.hpp"
#include "bench/text/words.hpp"
#include "solvers/base/words.hpp"
#include "solvers/block/table.hpp"
#include "solvers/flow/table.hpp"

namespace cfdmark {
namespace {

// Returns the fastest kind of backend that runs here and has the solver.
BackendKind best_backend(const std::string& solver) {
  for (BackendKind kind : {BackendKind::cuda, BackendKind::openmp})
    for (const Row& row : catalog())
      if (row.kind == RowKind::solver && row.name == solver && row.backend == kind && row.unavailable.empty())
        return kind;
  return BackendKind::serial;
}

// Selects the tunnel, and the grid of an image, unless given.
std::optional<DrawnBody> drawn_body(SolveRequest& request) {
  if (request.mask.empty() && request.polygon.empty()) return {};
  if (request.problem.empty()) request.problem = "tunnel";
  if (request.problem != "tunnel")
    throw std::invalid_argument("--mask and --polygon require --problem tunnel");
  return read_body(request.mask, request.polygon, request.grid);
}

// Returns the default solver for the problem.
std::string usual_solver(const SolveRequest& request) {
  if (const FlowProblemDescription* flow = find_flow_problem(request.problem))
    return !request.grid.empty() && asked_grid(request.grid).is_3d() ? "projection" : flow->solver;
  const Family* family = family_of_problem(request.problem);
  return family && family != &families().front() ? family->solvers.front() : "cg";
}

// Returns the default grid. Flows count cells; their number is even, as red-black sweeps over periodic sides
// require.
std::string usual_grid(const SolveRequest& request) {
  if (find_block_solver(request.solver)) return "24x10x16";
  if (!find_flow_solver(request.solver)) return "257x257";
  const FlowProblemDescription* problem = find_flow_problem(request.problem);
  return problem && !problem->in_2d ? "32x32x32" : "256x256";
}

// Throws unless the solver exists and its family has the problem.
void check_names(const SolveRequest& request) {
  const Family* const of_solver = family_of_solver(request.solver);
  if (!of_solver) {
    const std::vector<std::string> names = of_all_families(&Family::solvers);
    throw std::invalid_argument(fmt::format("unknown solver '{}'; expected {}{}", request.solver,
                                            one_of(names), did_you_mean(request.solver, names)));
  }
  if (request.problem.empty()) return;
  const Family* const of_problem = family_of_problem(request.problem);
  if (!of_problem) {
    const std::vector<std::string> names = of_all_families(&Family::problems);
    throw std::invalid_argument(fmt::format("unknown problem '{}'; expected {}{}", request.problem,
                                            one_of(names), did_you_mean(request.problem, names)));
  }
  if (of_problem != of_solver)
    throw std::invalid_argument(fmt::format("{} cannot solve {}; solvers that can: {}", request.solver,
                                            request.problem, listed(of_problem->solvers)));
}

// Sets the workload of a case. Returns all given settings, those of the methods too.
Config take_settings(SolveCase& asked, const std::vector<const Row*>& rows, const SolveRequest& request) {
  const TuningSpace workloads = workload_space(*rows.front(), request.problem);
  std::vector<Setting> settings = workloads.settings;
  for (const Row* row : rows)
    for (const Setting& s : row->space.settings)
      if (!find_setting(settings, s.name)) settings.push_back(s);
  const Config given = request.settings.values(settings, request.solver);
  if (asked.body && (given.has("shape") || given.has("diameter")))
    throw std::invalid_argument(asked.body->file + " defines the body; remove --shape and --diameter");
  asked.workload = workloads.defaults();
  asked.workload.take_known(given);
  return given;
}

void check_limits(const SolveCase& asked) {
  const Case one{asked.row, asked.grid, asked.config, asked.workload, "", {}, asked.on->id().index};
  for (const std::string& refusal : {more_than_there_are(one), memory_refusal(one)})
    if (!refusal.empty()) throw std::invalid_argument(refusal);
}

}  // namespace

int solve(SolveRequest request) {
  SolveCase asked{.routines = request.routines, .plot = request.plot, .vtk = request.vtk};
  asked.body = drawn_body(request);
  if (request.solver.empty()) request.solver = usual_solver(request);
  if (request.grid.empty()) request.grid = usual_grid(request);
  check_names(request);
  const BackendKind kind =
      request.backend.empty() ? best_backend(request.solver) : backend_from(request.backend);
  const DeviceId id = chosen_device(kind, request.device);
  const Precision precision = precision_from(request.precision);
  asked.on = &backend(id);
  asked.grid = asked_grid(request.grid);
  const std::vector<const Row*> rows = rows_of(request.solver, kind, precision);
  const Config given = take_settings(asked, rows, request);
  check_output_files(request.vtk, request.plot, find_flow_solver(request.solver),
                     asked.workload.choice("problem"));
  look_at_load_before_solve();

  choose_method(asked, rows, request, given);
  check_limits(asked);
  asked.title = fmt::format("{} on {} by {} ({}, {}, {})", asked.workload.choice("problem"), request.grid,
                            request.solver, to_string(id), to_string(precision), asked.row->method);
  const std::string shown = asked.config.differing_from(asked.row->space.defaults()).text();
  fmt::print("{}{}\n", asked.title, shown.empty() ? "" : ": " + shown);
  return family_of_solver(request.solver)->solve(asked);
}

}  // namespace cfdmark
