#include "bench/solve/solve.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "bench/case/case.hpp"
#include "bench/case/known_domain.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/device_choice.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/catalog/memory_check.hpp"
#include "bench/record/environment.hpp"
#include "bench/solve/files.hpp"
#include "bench/solve/flow_series.hpp"
#include "bench/solve/load.hpp"
#include "bench/solve/processes.hpp"
#include "bench/solve/ranked.hpp"
#include "bench/solve/solve_view.hpp"
#include "bench/text/words.hpp"
#include "bench/tuned/tuned_levels.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "solvers/base/words.hpp"
#include "solvers/families.hpp"
#include "solvers/matrix/family.hpp"

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
  if (request.mask.empty() && request.polygon.empty() && request.outline.empty()) return {};
  if (request.problem.empty()) request.problem = "tunnel";
  if (request.problem != "tunnel" && request.problem != "tow")
    throw std::invalid_argument("--mask, --polygon and --outline require --problem tunnel or tow");
  return read_body(request.mask, request.polygon, request.outline, request.grid);
}

// Returns the default grid: that of the problem, or of the first problem of the solver's family.
std::string usual_grid(const SolveRequest& request) {
  const Family& family = *family_of_solver(request.solver);
  const FamilyProblem* problem = find_problem(family, request.problem);
  return problem ? problem->usual_grid : family.problems.front().usual_grid;
}

// Returns the grid, mesh or matrix of a request; none: the default one is used.
std::optional<Domain> given_domain(const SolveRequest& request) {
  const auto both = [&](const char* one, const char* other) {
    throw std::invalid_argument(fmt::format("{} and {} both say what to solve; remove one", one, other));
  };
  if (!request.mesh.empty() && !request.grid.empty()) both("--grid", "--mesh");
  if (!request.matrix.empty() && !request.grid.empty()) both("--grid", "--matrix");
  if (!request.matrix.empty() && !request.mesh.empty()) both("--mesh", "--matrix");
  if (request.matrix.empty() && !request.rhs.empty())
    throw std::invalid_argument("--rhs needs the matrix: add --matrix A.mtx");
  if (!request.grid.empty()) return asked_grid(request.grid);
  if (!request.matrix.empty()) return asked_matrix(request.matrix, request.rhs);
  if (request.mesh.empty()) return {};
  const Domain domain = domain_from(request.mesh);
  if (!domain.is_mesh())
    throw std::invalid_argument(fmt::format(
        "--mesh {}: expected a mesh such as triangles-178x178 or a file that ends with .msh; for a "
        "grid use --grid",
        request.mesh));
  return known(domain);
}

// Sets the solver and problem of a request for a matrix unless given. Prints which solver, and why.
void choose_for_matrix(SolveRequest& request, const MatrixRef& matrix) {
  if (request.problem.empty()) request.problem = "matrix_system";
  if (!request.solver.empty() || request.problem != "matrix_system") return;
  const SuitableSolver chosen = suitable_solver(matrix);
  fmt::print("solver: {}, because {}\n", chosen.name, chosen.why);
  request.solver = chosen.name;
}

// Throws unless the solver exists and its family has the problem.
void check_names(const SolveRequest& request) {
  const Family* const of_solver = family_of_solver(request.solver);
  if (!of_solver) {
    const std::vector<std::string> names = all_solver_names();
    throw std::invalid_argument(fmt::format("unknown solver '{}'; expected {}{}", request.solver,
                                            one_of(names), did_you_mean(request.solver, names)));
  }
  if (request.problem.empty()) return;
  const Family* const of_problem = family_of_problem(request.problem);
  if (!of_problem) {
    const std::vector<std::string> names = all_problem_names();
    throw std::invalid_argument(fmt::format("unknown problem '{}'; expected {}{}", request.problem,
                                            one_of(names), did_you_mean(request.problem, names)));
  }
  if (of_problem == of_solver) return;
  std::vector<std::string> able;
  for (const FamilySolver& solver : of_problem->solvers) able.push_back(solver.name);
  throw std::invalid_argument(
      fmt::format("{} cannot solve {}; solvers that can: {}", request.solver, request.problem, listed(able)));
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
  asked.workload = workloads.filled(given);
  return given;
}

// Returns the rows of all methods of the solver. Throws std::invalid_argument if there are none.
std::vector<const Row*> rows_of(const std::string& solver, BackendKind kind, Precision precision) {
  std::vector<const Row*> rows;
  for (const Row& row : catalog())
    if (row.kind == RowKind::solver && row.name == solver && row.backend == kind &&
        row.precision == precision)
      rows.push_back(&row);
  if (rows.empty())
    throw std::invalid_argument(fmt::format("{} has no method on {}", solver, to_string(kind)));
  return rows;
}

const Row& row_with(const std::vector<const Row*>& rows, const std::string& method) {
  std::vector<std::string> names;
  for (const Row* row : rows) {
    if (row->method == method) return *row;
    names.push_back(row->method);
  }
  throw std::invalid_argument(fmt::format("unknown method '{}' of {} on {}; expected {}{}", method,
                                          rows.front()->name, to_string(rows.front()->backend), one_of(names),
                                          did_you_mean(method, names)));
}

// Returns the best row of the tuned tables with its config. Without one the row is null.
std::pair<const Row*, Config> tuned_choice(const SolveCase& asked, const std::vector<const Row*>& rows) {
  using namespace tuning;
  const TunedTables tables = read_usual_tuned_tables();
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const TuningDevice device = tuning_device(describe_environment(), asked.on->id());
  const Grid& grid = asked.domain.box();
  const auto [row, best] = look_up_method(tables, device, rows, grid, asked.workload);
  const Grid nearest = best.entry ? nearest_size(*best.entry, grid) : grid;
  const double ratio = size_ratio(grid, nearest);
  fmt::print("tuned: {}{}{}{}\n", to_string(best.match),
             ratio > 1 ? fmt::format(" (the number of points differs by a factor of {:.3g})", ratio) : "",
             best.entry ? fmt::format(", on {} for {}", best.device, grid_text(nearest)) : "",
             row                    ? ""
             : is_tuned(best.match) ? "; the default won"
                                    : "; the defaults are used");
  return {row, row ? best.config : Config()};
}

// Returns the complete config: given values override tuned ones.
Config config_of(const TuningSpace& space, const Config& tuned, const Config& given, const Config& workload) {
  Config config = tuned;
  // So do defaults that depend on given values.
  const Config adapted = space.defaults(given).differing_from(space.defaults());
  for (const auto& [name, value] : adapted.values()) config.set(name, value);
  // The two exclude each other.
  if (given.has("omega") && config.has("omega_gap")) config.set("omega_gap", 1.0);
  for (const auto& [name, value] : given.values())
    if (!workload.has(name)) config.set(name, value);
  return space.complete(config);
}

// Returns the settings given, with a residual check in every iteration unless they say otherwise: the output
// of a series is written at the checks.
Config every_step(const Row& row, Config given) {
  if (given.has("check_interval")) return given;
  for (const char* name : {"check_interval", "graph_iterations"})
    if (find_setting(row.space.settings, name)) given.set(name, 1);
  return given;
}

// Sets row and config of a case: the requested method, that of the tuned tables, or the default one. Given
// settings override tuned ones. Prints how well a tuned table matched.
void choose_method(SolveCase& asked, const std::vector<const Row*>& rows, const SolveRequest& request,
                   const Config& given) {
  std::pair<const Row*, Config> tuned;
  if (request.tuned && !asked.domain.is_grid())
    throw std::invalid_argument("--tuned: only solvers on grids are tuned; remove it");
  if (request.tuned) {
    std::vector<const Row*> allowed = rows;
    std::erase_if(allowed,
                  [&](const Row* row) { return !request.method.empty() && row->method != request.method; });
    tuned = tuned_choice(asked, allowed);
  }
  asked.row = tuned.first              ? tuned.first
              : request.method.empty() ? &default_row(rows, asked.domain, asked.workload)
                                       : &row_with(rows, request.method);
  if (request.tuned && tuned.second.empty()) tuning::ask_for_tuned_levels(*asked.row, tuned.second);
  asked.config = config_of(asked.row->space, tuned.second,
                           asked.series.any() ? every_step(*asked.row, given) : given, asked.workload);
}

void check_limits(const SolveCase& asked) {
  const Case one{asked.row, asked.domain, asked.config, asked.workload, "", {}, asked.on->id().index};
  const auto refuse = [](const std::string& reason) {
    if (!reason.empty()) throw std::invalid_argument(reason);
  };
  // The others need the right kind of domain. Dimensions that a solver does not have are its own error.
  if (one.row->runs_on != one.domain.kind()) refuse(domain_refusal(*one.row, one.domain));
  refuse(more_than_there_are(one));
  refuse(memory_refusal(one));
}

SeriesOutput series_of(const SolveRequest& request) {
  SeriesOutput series{
      .history = request.history, .vtk_every = request.vtk_every, .mean_from = request.mean_from};
  for (const std::string& probe : request.probes) series.probes.push_back(probe_from(probe));
  return series;
}

}  // namespace

int solve(SolveRequest request) {
  SolveCase asked{.routines = request.routines,
                  .plot = request.plot,
                  .vtk = request.vtk,
                  .answer = request.answer,
                  .series = series_of(request),
                  .save = request.save,
                  .restart = request.restart,
                  .save_every = request.save_every,
                  .ranks = request.ranks,
                  .process = request.process,
                  .partition = request.partition};
  asked.body = drawn_body(request);
  const std::optional<Domain> given_place = given_domain(request);
  if (given_place && given_place->is_matrix()) choose_for_matrix(request, given_place->matrix());
  if (request.solver.empty()) {
    const bool in_3d = !request.grid.empty() && asked_grid(request.grid).is_3d();
    request.solver = usual_solver(request.problem, in_3d);
  }
  check_names(request);
  const BackendKind kind = !request.backend.empty() ? backend_from(request.backend)
                           : request.ranks > 1      ? BackendKind::serial
                                                    : best_backend(request.solver);
  const DeviceId id = chosen_device(kind, request.device);
  const Precision precision = precision_from(request.precision);
  asked.on = &backend(asked.process ? device_of_process(id) : id);
  asked.domain = given_place ? *given_place : known(domain_from(usual_grid(request)));
  std::vector<const Row*> rows = rows_of(request.solver, kind, precision);
  const std::vector<Row> on_ranks = put_on_ranks(request, rows);
  const Config given = take_settings(asked, rows, request);
  const auto view = view_of(asked, *family_of_solver(request.solver));
  if (!asked.process) {
    check_output_files(*view, asked);
    check_answer_file(request.answer, asked.domain);
    look_at_load_before_solve();
  }

  choose_method(asked, rows, request, given);
  check_limits(asked);
  if (request.ranks > 1 && !asked.process) {
    check_parts(asked);
    if (request.join == "mpi") return solve_by_processes(request, kind != BackendKind::serial);
  }
  asked.title =
      fmt::format("{} on {} by {} ({}, {}, {})", asked.workload.choice("problem"), asked.domain.text(),
                  request.solver, to_string(id), to_string(precision), asked.row->method);
  if (asked.ranks > 1)
    asked.title += fmt::format(" on {} ranks{}, {}", asked.ranks, asked.process ? " joined by MPI" : "",
                               asked.partition);
  const std::string shown = asked.config.differing_from(asked.row->space.defaults()).text();
  fmt::print("{}{}\n", asked.title, shown.empty() ? "" : ": " + shown);
  std::fflush(stdout);  // before a solve that may take long
  return solve_and_show(asked, *view);
}

}  // namespace cfdmark
