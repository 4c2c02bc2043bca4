// cfdmark solve: one problem, one solver, one backend; the residual history and the answer's error.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "bench/catalog/case.hpp"
#include "bench/catalog/solver_workload.hpp"
#include "bench/catalog/source_hash.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/commands/setting_options.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/records.hpp"
#include "bench/run/device_choice.hpp"
#include "bench/sweep/words.hpp"
#include "bench/tune/tuned_lookup.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

constexpr std::size_t history_lines = 12;

struct Request {
  std::string solver = "cg", problem, grid = "257x257", backend, precision = "fp64", method, plot;
  SettingOptions settings;
  std::optional<int> device;
  bool tuned = false, routines = false;
};

const SolverDescription& find_solver(const std::string& name) {
  for (const auto& solver : solver_table())
    if (solver.name == name) return solver;
  throw std::invalid_argument(fmt::format("'{}' is no solver{}", name, did_you_mean(name, solver_names())));
}

// The rows of all its methods. Throws std::invalid_argument if there is none.
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
  throw std::invalid_argument(fmt::format("'{}' is no method of {} on {}{}", method, rows.front()->name,
                                          to_string(rows.front()->backend), did_you_mean(method, names)));
}

SolverMethod method_of(const SolverDescription& solver, const Row& row) {
  std::vector<SolverMethod> methods = solver.methods(row.backend);
  return *std::find_if(methods.begin(), methods.end(),
                       [&](const SolverMethod& m) { return m.name == row.method; });
}

// Everything that can be set: of any of the methods, and of what is asked.
std::vector<Setting> all_settings(const std::vector<const Row*>& rows, const TuningSpace& questions) {
  std::vector<Setting> all = questions.settings;
  for (const Row* row : rows)
    for (const Setting& s : row->space.settings)
      if (!find_setting(all, s.name)) all.push_back(s);
  return all;
}

// The method and config that the tuned tables have for this problem: of the method asked for, or of the one
// that won over all. Says how well it matched.
std::pair<std::string, Config> tuned_choice(const Request& request, DeviceId id, Precision precision,
                                            const Grid& grid, const Config& question) {
  using namespace tuning;
  const TunedTables tables = read_tuned_tables(tuned_folder());
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const TuningDevice device = tuning_device(describe_environment(), id);
  TunedAnswer best;
  std::string method = request.method;
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::solver || row.name != request.solver || row.backend != id.kind ||
        row.precision != precision || (!request.method.empty() && row.method != request.method))
      continue;
    const TunedAnswer answer = look_up(tables, device, row, grid, question, source_hash(row));
    if (answer.match < best.match) best = answer, method = row.method;
  }
  fmt::print("tuned: {}{}\n", to_string(best.match),
             best.entry ? fmt::format(", on {} for {}", best.device, grid_text(grid_of(*best.entry)))
                        : "; the defaults are used");
  return {method, best.config};
}

// The fastest kind of machine that runs here and has the solver.
BackendKind best_backend(const SolverDescription& solver) {
  for (BackendKind kind : {BackendKind::cuda, BackendKind::openmp, BackendKind::serial})
    if (unavailable_reason(kind).empty() && !solver.methods(kind).empty()) return kind;
  return BackendKind::serial;
}

struct Solved {
  Outcome outcome;
  double seconds = 0;
  HostField u;
  std::vector<std::pair<int, double>> error_history;
};

void print_history(const std::vector<std::pair<int, double>>& history) {
  fmt::print("\n  iteration   relative residual\n");
  const std::size_t step = std::max<std::size_t>(1, (history.size() + history_lines - 1) / history_lines);
  for (std::size_t n = 0; n < history.size(); ++n)
    if (n % step == 0 || n + 1 == history.size())
      fmt::print("  {:9}   {:.3e}\n", history[n].first, history[n].second);
}

void print_answer(const LinearProblem& problem, const Solved& s, double tolerance) {
  const double first = residual_norm(problem, problem.initial);
  const Grid& g = problem.grid;
  const int n = std::max(s.outcome.iterations, 1);
  fmt::print("\n  {} {} iterations{}\n", s.outcome.converged ? "converged in" : "NOT converged after",
             s.outcome.iterations, s.outcome.converged ? "" : fmt::format(" (wanted {:g})", tolerance));
  fmt::print("  residual, relative to the first   {:.3e}   (in 64 bits on the host: {:.3e})\n",
             s.outcome.relative_residual, first == 0 ? 0 : residual_norm(problem, s.u) / first);
  for (const NamedValue& result : s.outcome.results)
    fmt::print("  {:<33} {:.8g}\n", result.name, result.value);
  fmt::print(
      "  time to solution                  {:.4g} s, {:.4g} us an iteration, {:.4g} million points a "
      "second\n",
      s.seconds, s.seconds / n * 1e6, double(g.cells()) * n / s.seconds / 1e6);
}

// Of a solve of its own, in which nothing overlaps: the sum is more than the time to solution.
void print_routines(const std::vector<RoutineTime>& routines) {
  double sum = 0;
  for (const RoutineTime& r : routines) sum += r.seconds;
  fmt::print(
      "\n  routine          calls      seconds   share   (each timed by itself, in a solve of its own)\n");
  for (const RoutineTime& r : routines)
    fmt::print("  {:<14} {:7}   {:10.4g}   {:4.1f} %\n", r.name, r.calls, r.seconds, 100 * r.seconds / sum);
}

// Writes PREFIX.json and lets plot_solution.py draw PREFIX-field.png and PREFIX-history.png from it. Of a 3-D
// field the middle plane is drawn.
int plot(const Solved& s, const std::string& title, const std::string& prefix) {
  const Grid& g = s.u.grid();
  nlohmann::json rows = nlohmann::json::array();
  for (int j = 0; j < g.ny; ++j) {
    nlohmann::json row = nlohmann::json::array();
    for (int i = 0; i < g.nx; ++i) row.push_back(s.u.get(i, j, g.is_3d() ? g.nz / 2 : 0));
    rows.push_back(std::move(row));
  }
  const std::string file = prefix + ".json";
  std::ofstream out(file);
  out << nlohmann::json{{"title", title},
                        {"grid", {g.nx, g.ny}},
                        {"field", rows},
                        {"history", s.outcome.history},
                        {"error_history", s.error_history}};
  if (!out.flush()) throw WriteError(fmt::format("{}: cannot be written", file));
  return run_script("plot_solution.py", {file, prefix});
}

Solved solve(PreparedSolver& prepared, Backend& on, const LinearProblem& problem, const Config& question,
             const Request& request) {
  const double tolerance = question.real("tolerance");
  const int max_iterations = question.whole("max_iterations");
  Solved s;
  prepared.reset();
  prepared.solve(tolerance, std::min(max_iterations, 20));  // warm up
  prepared.reset();
  s.seconds = on.seconds([&] { s.outcome = prepared.solve(tolerance, max_iterations); });
  s.u = prepared.solution();
  s.outcome.results = results(problem, s.u);
  if (request.routines) {
    prepared.reset();
    s.outcome.routines = prepared.solve_by_routine(tolerance, max_iterations).routines;
  }
  if (request.plot.empty()) return s;
  // The error at each check costs a download: it is recorded in a solve of its own, that is not timed.
  prepared.solver().on_check = [&](int n) {
    s.error_history.emplace_back(n, solution_error(problem, prepared.solution()).max);
  };
  prepared.reset();
  prepared.solve(tolerance, max_iterations);
  return s;
}

// What is given of a config takes the place of what is tuned.
Config config_of(const Row& row, const Config& tuned, const Config& given, const Config& question) {
  Config config = tuned;
  if (given.has("omega") && config.has("omega_gap")) config.set("omega_gap", 1.0);  // they exclude each other
  for (const auto& [name, value] : given.values())
    if (!question.has(name)) config.set(name, value);
  return row.space.complete(config);
}

int run(const Request& request) {
  const SolverDescription& solver = find_solver(request.solver);
  const BackendKind kind = request.backend.empty() ? best_backend(solver) : backend_from(request.backend);
  const DeviceId id = chosen_device(kind, request.device);
  Backend& on = backend(id);
  const Precision precision = precision_from(request.precision);
  const Grid grid = grid_from(request.grid);
  const std::vector<const Row*> rows = rows_of(request.solver, kind, precision);
  const TuningSpace questions = question_space(*rows.front(), request.problem);
  const Config given = request.settings.given(all_settings(rows, questions), request.solver);
  Config question = questions.defaults();
  question.take_known(given);

  std::pair<std::string, Config> choice{request.method, {}};
  if (request.tuned) choice = tuned_choice(request, id, precision, grid, question);
  const Row& row = choice.first.empty() ? default_row(rows, grid, question) : row_with(rows, choice.first);
  const Config config = config_of(row, choice.second, given, question);
  const auto problem = shared_problem(question, grid);
  PreparedSolver prepared(solver, method_of(solver, row), on, precision, config, problem);

  const std::string title = fmt::format("{} on {} by {} ({}, {}, {})", question.word("problem"), request.grid,
                                        request.solver, to_string(id), to_string(precision), row.method);
  const std::string shown = config.differing_from(row.space.defaults()).text();
  fmt::print("{}{}\n", title, shown.empty() ? "" : ": " + shown);
  const Solved s = solve(prepared, on, *problem, question, request);
  print_history(s.outcome.history);
  print_answer(*problem, s, question.real("tolerance"));
  if (request.routines) print_routines(s.outcome.routines);
  const int plotted = request.plot.empty() ? 0 : plot(s, title, request.plot);
  return plotted != 0 ? plotted : s.outcome.converged ? exit_ok : exit_went_wrong;
}

// "heated_plate (Laplace ..), manufactured (..)"
std::string problem_help() {
  std::string text;
  for (const ProblemDescription& p : problem_table())
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", p.name, p.help);
  return text;
}

}  // namespace

void add_solve(CLI::App& app, int& status) {
  auto request = std::make_shared<Request>();
  CLI::App* command =
      app.add_subcommand("solve", "solves one problem with one solver on one backend and shows how it went");
  command->add_option("--solver", request->solver, one_of(solver_names()))->capture_default_str();
  command->add_option("--problem", request->problem,
                      fmt::format("{} (default: {})", problem_help(), problem_names().front()));
  command->add_option("--grid", request->grid, "unknowns, NXxNY or NXxNYxNZ")->capture_default_str();
  command->add_option("--backend", request->backend,
                      "serial, openmp, kokkos or cuda (default: the fastest that runs here)");
  add_device_choice(*command, request->device);
  command
      ->add_option("--precision", request->precision,
                   "fp32, fp64 or mixed (32-bit inner solve, 64-bit residual)")
      ->capture_default_str();
  command->add_option("--method", request->method,
                      "a method of the solver, see `cfdmark list` (default: the usual one on this grid)");
  command->add_flag("--tuned", request->tuned,
                    "use the method and config that `cfdmark tune` found; --method and --set come first");
  request->settings.add_to(*command, solver_settings(catalog()));
  request->settings.add_set_to(*command);
  command->add_flag("--routines", request->routines,
                    "solve once more with each routine timed by itself, and show where the time goes");
  add_value(*command, "--plot", "PREFIX", request->plot, "draw PREFIX-field.png and PREFIX-history.png");
  command->footer(R"(examples:
  cfdmark solve --solver sor --grid 255x255 --omega 1.95
  cfdmark solve --solver pcg --problem jump --conductivity 10 --precision mixed --tolerance 1e-10
  cfdmark solve --solver cg --backend cuda --grid 4095x4095 --set block_x=128 --plot plate

settings of solvers and problems; `cfdmark list` shows which method has which:
)" + settings_help(catalog(), RowKind::solver) +
                  R"(
exit status: 0 converged; 1 not converged; 2 a wrong option or bad input)");
  command->callback([request, &status] { status = run(*request); });
}

}  // namespace cfdmark
