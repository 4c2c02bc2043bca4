// cfdmark solve: solves one problem with one solver on one backend.
#include <fmt/format.h>

#include <algorithm>

#include "bench/case/case.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/device_choice.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/catalog/memory_check.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"
#include "bench/commands/solve_case.hpp"
#include "bench/commands/solve_files.hpp"
#include "bench/commands/solve_load.hpp"
#include "bench/record/environment.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/words.hpp"
#include "bench/tuned/tuned_levels.hpp"
#include "solvers/base/words.hpp"
#include "solvers/block/table.hpp"
#include "solvers/flow/table.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

struct Request {
  std::string solver, problem, grid, backend, precision = "fp64", method, plot, vtk, mask, polygon;
  GivenSettings settings;
  std::optional<int> device;
  bool tuned = false, routines = false;
};

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

// Returns all settings of the methods, the problem and the solve.
std::vector<Setting> all_settings(const std::vector<const Row*>& rows, const TuningSpace& workloads) {
  std::vector<Setting> all = workloads.settings;
  for (const Row* row : rows)
    for (const Setting& s : row->space.settings)
      if (!find_setting(all, s.name)) all.push_back(s);
  return all;
}

// Returns method and config from the tuned tables: for the requested method, or the overall winner. Prints
// how well the table matched.
std::pair<std::string, Config> tuned_choice(const Request& request, DeviceId id, Precision precision,
                                            const Grid& grid, const Config& workload) {
  using namespace tuning;
  const TunedTables tables = read_usual_tuned_tables();
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const TuningDevice device = tuning_device(describe_environment(), id);
  std::vector<const Row*> rows;
  for (const Row& row : catalog())
    if (row.kind == RowKind::solver && row.name == request.solver && row.backend == id.kind &&
        row.precision == precision && (request.method.empty() || row.method == request.method))
      rows.push_back(&row);
  const auto [row, best] = look_up_method(tables, device, rows, grid, workload);
  const Grid nearest = best.entry ? nearest_size(*best.entry, grid) : grid;
  const double ratio = size_ratio(grid, nearest);
  fmt::print("tuned: {}{}{}{}\n", to_string(best.match),
             ratio > 1 ? fmt::format(" (the number of points differs by a factor of {:.3g})", ratio) : "",
             best.entry ? fmt::format(", on {} for {}", best.device, grid_text(nearest)) : "",
             row                    ? ""
             : is_tuned(best.match) ? "; the default won"
                                    : "; the defaults are used");
  return {row ? row->method : request.method, row ? best.config : Config()};
}

// Returns the fastest kind of backend that runs here and has the solver.
BackendKind best_backend(const std::string& solver) {
  for (BackendKind kind : {BackendKind::cuda, BackendKind::openmp})
    for (const Row& row : catalog())
      if (row.kind == RowKind::solver && row.name == solver && row.backend == kind && row.unavailable.empty())
        return kind;
  return BackendKind::serial;
}

// A family of solvers with the problems that they solve. Names are in the order of the catalog.
struct Family {
  std::vector<std::string> solvers, problems;
  int (*solve)(const SolveCase&);

  bool has(const std::string& problem) const {
    return std::find(problems.begin(), problems.end(), problem) != problems.end();
  }
  bool solves_with(const std::string& solver) const {
    return std::find(solvers.begin(), solvers.end(), solver) != solvers.end();
  }
};
const std::vector<Family>& families() {
  static const std::vector<Family> all = {{solver_names(), problem_names(), solve_linear},
                                          {flow_solver_names(), flow_problem_names(), solve_flow},
                                          {block_solver_names(), block_problem_names(), solve_blocks}};
  return all;
}
std::vector<std::string> names_of_all(std::vector<std::string> Family::*names) {
  std::vector<std::string> all;
  for (const Family& family : families())
    all.insert(all.end(), (family.*names).begin(), (family.*names).end());
  return all;
}
std::vector<std::string> all_solver_names() { return names_of_all(&Family::solvers); }

// Returns the requested solver, or the default one for the problem.
std::string solver_for(const Request& request) {
  if (!request.solver.empty()) return request.solver;
  if (const FlowProblemDescription* flow = find_flow_problem(request.problem))
    return !request.grid.empty() && asked_grid(request.grid).is_3d() ? "projection" : flow->solver;
  const auto& all = families();
  for (std::size_t n = 1; n < all.size(); ++n)
    if (all[n].has(request.problem)) return all[n].solvers.front();
  return "cg";
}

// Returns the default grid. Flows count cells; their number is even, as red-black sweeps over periodic sides
// require.
std::string usual_grid(const Request& request) {
  if (find_block_solver(request.solver)) return "24x10x16";
  if (!find_flow_solver(request.solver)) return "257x257";
  const FlowProblemDescription* problem = find_flow_problem(request.problem);
  return problem && !problem->in_2d ? "32x32x32" : "256x256";
}

// Returns the complete config: given values override tuned ones.
Config config_of(const Row& row, const Config& tuned, const Config& given, const Config& workload) {
  Config config = tuned;
  // So do defaults that depend on given values.
  const Config adapted = row.space.defaults(given).differing_from(row.space.defaults());
  for (const auto& [name, value] : adapted.values()) config.set(name, value);
  // The two exclude each other.
  if (given.has("omega") && config.has("omega_gap")) config.set("omega_gap", 1.0);
  for (const auto& [name, value] : given.values())
    if (!workload.has(name)) config.set(name, value);
  return row.space.complete(config);
}

// Throws if no family has the problem, or only one to which the solver does not belong.
void require_problem_of(const Request& request) {
  if (request.problem.empty()) return;
  for (const Family& family : families())
    if (family.has(request.problem)) {
      if (family.solves_with(request.solver)) return;
      throw std::invalid_argument(fmt::format("{} cannot solve {}; solvers that can: {}", request.solver,
                                              request.problem, listed(family.solvers)));
    }
  const std::vector<std::string> names = names_of_all(&Family::problems);
  throw std::invalid_argument(fmt::format("unknown problem '{}'; expected {}{}", request.problem,
                                          one_of(names), did_you_mean(request.problem, names)));
}

// Selects the tunnel, and the grid of an image, unless given.
std::optional<DrawnBody> drawn_body(Request& request) {
  if (request.mask.empty() && request.polygon.empty()) return {};
  if (request.problem.empty()) request.problem = "tunnel";
  if (request.problem != "tunnel")
    throw std::invalid_argument("--mask and --polygon require --problem tunnel");
  return read_body(request.mask, request.polygon, request.grid);
}

int run(const Request& asked_for) {
  Request request = asked_for;
  const std::optional<DrawnBody> body = drawn_body(request);
  request.solver = solver_for(request);
  if (request.grid.empty()) request.grid = usual_grid(request);
  const std::vector<std::string> names = all_solver_names();
  if (std::find(names.begin(), names.end(), request.solver) == names.end())
    throw std::invalid_argument(fmt::format("unknown solver '{}'; expected {}{}", request.solver,
                                            one_of(names), did_you_mean(request.solver, names)));
  require_problem_of(request);
  const BackendKind kind =
      request.backend.empty() ? best_backend(request.solver) : backend_from(request.backend);
  const DeviceId id = chosen_device(kind, request.device);
  const Precision precision = precision_from(request.precision);
  SolveCase asked{.on = &backend(id),
                  .grid = asked_grid(request.grid),
                  .routines = request.routines,
                  .plot = request.plot,
                  .vtk = request.vtk,
                  .body = body};
  const std::vector<const Row*> rows = rows_of(request.solver, kind, precision);
  const TuningSpace workloads = workload_space(*rows.front(), request.problem);
  const Config given = request.settings.values(all_settings(rows, workloads), request.solver);
  if (body && (given.has("shape") || given.has("diameter")))
    throw std::invalid_argument(body->file + " defines the body; remove --shape and --diameter");
  asked.workload = workloads.defaults();
  asked.workload.take_known(given);
  check_output_files(request.vtk, request.plot, find_flow_solver(request.solver),
                     asked.workload.choice("problem"));
  look_at_load_before_solve();

  std::pair<std::string, Config> choice{request.method, {}};
  if (request.tuned) choice = tuned_choice(request, id, precision, asked.grid, asked.workload);
  asked.row =
      choice.first.empty() ? &default_row(rows, asked.grid, asked.workload) : &row_with(rows, choice.first);
  if (request.tuned && choice.second.empty()) tuning::ask_for_tuned_levels(*asked.row, choice.second);
  asked.config = config_of(*asked.row, choice.second, given, asked.workload);
  const Case one{asked.row, asked.grid, asked.config, asked.workload, "", {}, id.index};
  for (const std::string& refusal : {more_than_there_are(one), memory_refusal(one)})
    if (!refusal.empty()) throw std::invalid_argument(refusal);
  asked.title = fmt::format("{} on {} by {} ({}, {}, {})", asked.workload.choice("problem"), request.grid,
                            request.solver, to_string(id), to_string(precision), asked.row->method);
  const std::string shown = asked.config.differing_from(asked.row->space.defaults()).text();
  fmt::print("{}{}\n", asked.title, shown.empty() ? "" : ": " + shown);
  const auto& all = families();
  return std::find_if(all.begin(), all.end(), [&](const Family& f) { return f.solves_with(request.solver); })
      ->solve(asked);
}

// Returns, for example, "heated_plate (Laplace ..), manufactured (..)".
std::string problem_help() {
  std::string text;
  const auto add = [&](const auto& p) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", p.name, p.help);
  };
  for (const ProblemDescription& p : problem_table()) add(p);
  for (const FlowProblemDescription& p : flow_problem_table()) add(p);
  for (const BlockProblemDescription& p : block_problem_table()) add(p);
  return text;
}

}  // namespace

void print_wrong(const Outcome& outcome, const Judgement& judgement, const std::string& reduce) {
  const auto iteration = diverged_by(outcome);
  if (!iteration || *iteration == 0) {
    fmt::print("\n  WRONG: {}\n", judgement.wrong);
    return;
  }
  fmt::print("\n  DIVERGED by iteration {}: the residual is above {:g} times the first{}\n", *iteration,
             divergence_limit, reduce.empty() ? "" : "; reduce " + reduce);
}

constexpr std::size_t history_lines = 12;

void print_history(const std::vector<std::pair<int, double>>& history) {
  fmt::print("\n  iteration   relative residual\n");
  const std::size_t step = std::max<std::size_t>(1, (history.size() + history_lines - 1) / history_lines);
  for (std::size_t n = 0; n < history.size(); ++n)
    if (n % step == 0 || n + 1 == history.size())
      fmt::print("  {:9}   {:.3e}\n", history[n].first, history[n].second);
}

void print_routines(const std::vector<RoutineTime>& routines, const std::string& what) {
  double sum = 0;
  for (const RoutineTime& r : routines) sum += r.seconds;
  fmt::print("\n  {:<14} {:>7}   {:>10}   share   (each timed by itself, in a separate solve)\n", what,
             "calls", "time");
  for (const RoutineTime& r : routines)
    fmt::print("  {:<14} {:7}   {:>10}   {:4.1f} %\n", r.name, r.calls, seconds_text(r.seconds),
               100 * r.seconds / sum);
}

void add_solve(CLI::App& app, int& status) {
  auto request = std::make_shared<Request>();
  CLI::App* command = app.add_subcommand(
      "solve", "solve one problem with one solver on one backend, and show residuals and errors");
  command->add_option(
      "--solver", request->solver,
      one_of(all_solver_names()) +
          " (default: cg; for flows simple, in 3-D and with heat projection; for 5x5 blocks block_jacobi)");
  command->add_option("--problem", request->problem,
                      fmt::format("{} (default: {})", problem_help(), problem_names().front()));
  command->add_option("--grid", request->grid,
                      "unknowns, NXxNY or NXxNYxNZ (default: 257x257; for flows 256x256 or 32x32x32, for 5x5 "
                      "blocks 24x10x16, for --mask the image's size, for --polygon 512x128)");
  command->add_option("--backend", request->backend,
                      "serial, openmp, kokkos or cuda (default: the fastest that runs here)");
  add_device_choice(*command, request->device);
  command
      ->add_option("--precision", request->precision,
                   "fp32, fp64 or mixed (32-bit inner solve, 64-bit residual)")
      ->capture_default_str();
  command->add_option("--method", request->method,
                      "method of the solver, see `cfdmark list` (default: the one for this grid)");
  command->add_flag("--tuned", request->tuned,
                    "use the method and config that `cfdmark tune` found; --method and --set override them");
  add_setting_options(*command, request->settings, solver_settings(catalog()), {RowKind::solver});
  add_set_option(*command, request->settings);
  command->add_flag("--routines", request->routines,
                    "solve again with each routine timed by itself, and show the share of each");
  add_value(
      *command, "--mask", "FILE", request->mask,
      "body of the tunnel as a PNG or PGM image; pixels are square cells, solid if darker than 50 %; the "
      "tunnel has the image's aspect ratio");
  add_value(*command, "--polygon", "FILE", request->polygon,
            "body of the tunnel as corners, one x and y per line, in a tunnel of length 4 and height 1");
  add_value(*command, "--plot", "PREFIX", request->plot,
            "draw PREFIX-field.png, for flows PREFIX-flow.png, for cavities PREFIX-profiles.png, and "
            "PREFIX-history.png");
  add_value(*command, "--vtk", "FILE.vti", request->vtk, "file of a flow for ParaView");
  command->footer(R"(examples:
  cfdmark solve --solver sor --grid 255x255 --omega 1.95
  cfdmark solve --solver pcg --problem jump --conductivity 10 --precision mixed --tolerance 1e-10
  cfdmark solve --solver cg --backend cuda --grid 4095x4095 --set block_x=128 --plot plate
  cfdmark solve --problem cavity --reynolds 1000 --grid 128x128 --plot cavity
  cfdmark solve --mask car.png --reynolds 20 --plot car

settings of solvers and problems; `cfdmark list` shows the settings of each method:
)" + settings_help(catalog(), RowKind::solver) +
                  R"(
exit status: 0 converged; 1 not converged; 2 an invalid option or input; 3 a file could not be written)");
  command->callback([request, &status] { status = run(*request); });
}

}  // namespace cfdmark
