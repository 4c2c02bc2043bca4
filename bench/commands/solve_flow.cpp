// cfdmark solve of a flow: its residuals while it runs, what the flow has of known values, and pictures.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>

#include "bench/case/case.hpp"
#include "bench/catalog/flow_rows.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/solve_case.hpp"
#include "bench/record/output_file.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/printable.hpp"
#include "bench/worker/python_script.hpp"
#include "solvers/flow/divergence.hpp"
#include "solvers/problems/vortices.hpp"

namespace cfdmark {
namespace {

// Prints the residuals at most twice a second, and the last ones.
class LiveResiduals {
 public:
  void operator()(const Outcome& so_far) {
    if (so_far.iterations == 0) print_names(so_far);
    const auto now = std::chrono::steady_clock::now();
    if (so_far.iterations > 0 && now - last_ < std::chrono::milliseconds(500)) return;
    last_ = now;
    print(so_far);
  }
  void print(const Outcome& so_far) {
    if (so_far.iterations == printed_) return;
    printed_ = so_far.iterations;
    fmt::print("  {:9}", so_far.iterations);
    for (const NamedValue& residual : so_far.residuals) fmt::print("   {:>10.3e}", residual.value);
    fmt::print("\n");
    std::fflush(stdout);
  }

 private:
  static void print_names(const Outcome& so_far) {
    fmt::print("\n  iteration");
    for (const NamedValue& residual : so_far.residuals) fmt::print("   {:>10}", residual.name);
    fmt::print("\n");
  }

  std::chrono::steady_clock::time_point last_;
  int printed_ = -1;
};

// Returns the comparison with a published value, such as "   (2.238 by de Vahl Davis 1983: 0.31 % more)". For
// a deviation from published data it names the source, as in "   (from Botella and Peyret 1998)".
std::string beside(const std::vector<PublishedValue>& published, const NamedValue& result) {
  for (const PublishedValue& known : published) {
    if (known.name != result.name) continue;
    if (known.value == 0) return fmt::format("   (from {})", known.source);
    const double deviation = result.value / known.value - 1;
    // A percentage of a small value, or of one with the opposite sign, is meaningless.
    if (std::abs(deviation) > 1)
      return fmt::format("   ({:g} by {}: {:.3g} {})", known.value, known.source,
                         std::abs(result.value - known.value), result.value < known.value ? "less" : "more");
    return fmt::format("   ({:g} by {}: {:.2g} % {})", known.value, known.source, 100 * std::abs(deviation),
                       deviation < 0 ? "less" : "more");
  }
  return "";
}

// Returns advice for a steady flow whose residual has stagnated: more accurate inner solves. Only for fp64,
// since in fp32 rounding may be the cause.
std::string advice_on(const SolveCase& asked, const Outcome& outcome) {
  const auto& history = outcome.history;
  if (outcome.converged || !asked.config.has("velocity_relaxation") || history.size() < 8 ||
      asked.row->precision != Precision::fp64 ||
      history.back().second < 0.5 * history[history.size() / 2].second)
    return "";
  return "  The residual has stagnated: try --set momentum_sweeps=20, --set pressure_solver=multigrid --set "
         "pressure_sweeps=4,\n  or --set convection=upwind. If the flow is not steady, use --solver piso\n";
}

// PISO: each iteration is a time step, and the residual of its inner solves is an error of the result.
bool in_time_steps(const SolveCase& asked) { return asked.config.has("courant"); }

void print_inner_residual(double left) {
  fmt::print("  inner residual of momentum        {:.3e}   (remaining after a step)\n", left);
  if (!(left <= most_momentum_left))  // a NaN too
    fmt::print(
        "  warning: a time step leaves more than {:g} of its momentum residual, and the error grows on "
        "finer\n"
        "  grids: remove momentum_sweeps and momentum_tolerance, or set more sweeps\n",
        most_momentum_left);
}

void print_answer(const SolveCase& asked, const FlowProblem& problem, const Outcome& outcome,
                  const FlowFields& flow, const FlowResiduals& found, double seconds) {
  const double tolerance = asked.workload.real("tolerance");
  const int n = std::max(outcome.iterations, 1);
  if (outcome.converged && asked.config.has("end_time") && asked.config.real("end_time") > 0)
    fmt::print("\n  reached the end time after {} time step{}\n", outcome.iterations,
               outcome.iterations == 1 ? "" : "s");
  else
    fmt::print("\n  {} {} iterations{}\n", outcome.converged ? "converged in" : "NOT converged after",
               outcome.iterations, outcome.converged ? "" : fmt::format(" (tolerance {:g})", tolerance));
  fmt::print("{}", advice_on(asked, outcome));
  fmt::print("  momentum                          {:.3e}   (in fp64 on one core)\n", found.momentum);
  fmt::print("  continuity residual               {:.3e}   (likewise)\n", found.mass);
  if (flow.time > 0)
    fmt::print("  flow time                         {:.6g}{}\n", flow.time,
               in_time_steps(asked) ? "   (steps of first order: half of --courant halves their error)" : "");
  if (in_time_steps(asked)) print_inner_residual(found.momentum_left);
  std::vector<NamedValue> results = outcome.results;
  for (NamedValue& result : flow_results(problem, flow)) results.push_back(std::move(result));
  const auto published = comparable_values(problem, asked.config, flow.time);
  for (const NamedValue& result : results)
    fmt::print("  {:<33} {:.8g}{}\n", result.name, result.value, beside(published, result));
  fmt::print("  time to solution                  {}, {} per iteration\n", seconds_text(seconds),
             seconds_text(seconds / n));
}

bool is_solid(const FlowProblem& problem, int i, int j, int k) {
  return CellFaces{int(problem.faces.get(i, j, k))}.is_solid();
}

// Returns settings for a flow whose cells are too large for central convection; empty if they are not, or if
// another scheme was chosen.
std::string asks_for(const SolveCase& asked, const FlowProblem& problem) {
  constexpr double most = 2;
  const double peclet = cell_peclet_number(problem);
  if (!asked.config.is("convection", "central") || peclet <= most) return "";
  std::string schemes;
  for (const std::string& word : find_setting(asked.row->space.settings, "convection")->words)
    if (word != "central") schemes += (schemes.empty() ? "" : " or ") + word;
  const Grid& g = problem.grid;
  const double finer = peclet / most;
  const std::string grid = grid_of_units(g.nx * finer, g.ny * finer, problem.description->grid_unit) +
                           (g.is_3d() ? fmt::format("x{:.0f}", std::ceil(g.nz * finer)) : "");
  const bool is_possible = std::max({g.nx, g.ny, g.nz}) * finer <= longest_side;
  return fmt::format("--set convection={}{}", schemes, is_possible ? ", or --grid " + grid : "");
}

void print_divergence(const SolveCase& asked, const FlowProblem& problem, const Divergence& found) {
  fmt::print(
      "\n  DIVERGED in iteration {}: reduce {}{}\n", found.last_good + 1,
      asked.config.has("courant")        ? "courant"
      : asked.config.has("stable_share") ? "stable_share"
                                         : "velocity_relaxation, pressure_relaxation",
      asked.config.is("pressure_solver", "sor")
          ? " or pressure_omega, increase pressure_sweeps,\n  or use --set pressure_solver=multigrid --set "
            "pressure_sweeps=2"
          : "");
  if (const std::string wanted = asks_for(asked, problem); !wanted.empty())
    fmt::print("  or change the scheme or the grid for the cell Peclet number of {:.3g}: {}\n",
               cell_peclet_number(problem), wanted);
  if (found.last_good == 0) return;
  const bool is_3d = problem.grid.is_3d();
  double fastest = -1;
  int at_i = 0, at_j = 0, at_k = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int k) {
    const double speed = std::hypot(found.flow.u.get(i, j, k), found.flow.v.get(i, j, k),
                                    is_3d ? found.flow.w.get(i, j, k) : 0);
    if (speed > fastest) fastest = speed, at_i = i, at_j = j, at_k = k;
  });
  const Centre centre(problem.cell, at_i, at_j);
  fmt::print(
      "  In the last valid state the velocity is largest at x = {:.4g}, y = {:.4g}{}, in cell ({}, {}{}): "
      "{:.4g}\n",
      centre.x, centre.y, is_3d ? fmt::format(", z = {:.4g}", (at_k + 0.5) * problem.cell.dz) : "", at_i,
      at_j, is_3d ? fmt::format(", {}", at_k) : "", fastest);
}

// Returns f(i, j) of each cell, row by row.
template <class F>
nlohmann::json rows_of(const Grid& g, const F& f) {
  nlohmann::json rows = nlohmann::json::array();
  for (int j = 0; j < g.ny; ++j) {
    nlohmann::json row = nlohmann::json::array();
    for (int i = 0; i < g.nx; ++i) row.push_back(f(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

// Returns the value in the middle of the depth of a 3-D flow; between two planes by cubic interpolation.
double in_the_middle(const HostField& f, int i, int j) {
  const int nz = f.grid().nz, k = nz / 2;
  if (nz % 2 == 1 || nz < 4) return f.get(i, j, k);
  return (9 * (f.get(i, j, k - 1) + f.get(i, j, k)) - f.get(i, j, k - 2) - f.get(i, j, k + 1)) / 16;
}

// Returns and prints the vortices of a plane flow whose stream function is at least 1e-5 of its maximum.
nlohmann::json vortices_of(const FlowProblem& problem, const FlowFields& flow) {
  nlohmann::json all = nlohmann::json::array();
  if (problem.grid.is_3d()) return all;
  const StreamFunction psi = stream_function(problem.grid, problem.cell, flow.mass_x);
  const auto is_solid_cell = [&](int i, int j) { return is_solid(problem, i, j, 0); };
  for (const Vortex& vortex : vortex_centres(psi, 1e-5, is_solid_cell)) {
    all.push_back({vortex.x, vortex.y, vortex.psi, vortex.vorticity});
    fmt::print("  vortex marked at ({:.4f}, {:.4f})   psi {:.5g}, {}\n", vortex.x, vortex.y, vortex.psi,
               vortex.is_clockwise() ? "clockwise" : "counterclockwise");
  }
  return all;
}

// Writes PREFIX.json and runs plot-flow, which draws PREFIX-flow.png, PREFIX-history.png and, for a
// cavity, PREFIX-profiles.png.
int plot(const SolveCase& asked, const FlowProblem& problem, const Outcome& outcome, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const auto values = [&](const HostField& f) {
    return rows_of(g, [&](int i, int j) { return in_the_middle(f, i, j); });
  };
  auto history = outcome.history;
  std::erase_if(history, [](const auto& look) { return !std::isfinite(look.second); });
  nlohmann::json drawn{
      {"title", asked.title + (g.is_3d() ? ", in the middle of its depth" : "")},
      {"dimensions", g.dims},
      {"problem", problem.description->name},
      {"reynolds", problem.settings.has("reynolds") ? problem.settings.real("reynolds") : 0},
      {"cell", {problem.cell.dx, problem.cell.dy}},
      {"u", values(flow.u)},
      {"v", values(flow.v)},
      {"p", values(flow.p)},
      {"solid", rows_of(g, [&](int i, int j) { return is_solid(problem, i, j, g.nz / 2) ? 1 : 0; })},
      {"vortices", vortices_of(problem, flow)},
      {"history", history}};
  if (problem.heat) drawn["temperature"] = values(flow.temperature);
  const std::string file = asked.plot + ".json";
  replace_file(file, [&](std::ostream& out) { out << drawn; });
  return run_script("plot-flow", {file, asked.plot});
}

// Prints an image of cells for ParaView: velocity, pressure, and which cells are solid.
void print_vtk(std::ostream& out, const FlowProblem& problem, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const auto array = [&](const char* name, int components, const auto& write_cell) {
    out << fmt::format(
        "<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n", name,
        components);
    for_each_cell(g, false, write_cell);
    out << "</DataArray>\n";
  };
  out << fmt::format(
      "<VTKFile type=\"ImageData\" version=\"0.1\">\n"
      "<ImageData WholeExtent=\"0 {0} 0 {1} 0 {2}\" Origin=\"0 0 0\" Spacing=\"{3} {4} {5}\">\n"
      "<Piece Extent=\"0 {0} 0 {1} 0 {2}\">\n<CellData Vectors=\"velocity\" Scalars=\"pressure\">\n",
      g.nx, g.ny, g.is_3d() ? g.nz : 0, problem.cell.dx, problem.cell.dy, problem.cell.dz);
  const auto value = [&](const HostField& f) {
    return [&](int i, int j, int k) { out << fmt::format("{}\n", f.get(i, j, k)); };
  };
  array("velocity", 3, [&](int i, int j, int k) {
    out << fmt::format("{} {} {}\n", flow.u.get(i, j, k), flow.v.get(i, j, k),
                       g.is_3d() ? flow.w.get(i, j, k) : 0);
  });
  array("pressure", 1, value(flow.p));
  if (problem.heat) array("temperature", 1, value(flow.temperature));
  array("solid", 1, [&](int i, int j, int k) { out << (is_solid(problem, i, j, k) ? "1\n" : "0\n"); });
  out << "</CellData>\n</Piece>\n</ImageData>\n</VTKFile>\n";
}

// Writes the requested files and returns the exit status.
int show(const SolveCase& asked, const FlowProblem& problem, const Outcome& outcome, const FlowFields& flow) {
  if (!asked.vtk.empty()) {
    replace_file(asked.vtk, [&](std::ostream& out) { print_vtk(out, problem, flow); });
    fmt::print("{}\n", printable(asked.vtk));
  }
  return asked.plot.empty() ? exit_ok : plot(asked, problem, outcome, flow);
}

std::shared_ptr<const FlowProblem> problem_of(const SolveCase& asked) {
  if (!asked.body) return shared_flow(asked.workload, asked.grid);
  Config settings = TuningSpace{find_flow_problem("tunnel")->settings}.defaults();
  settings.take_known(asked.workload);
  return std::make_shared<FlowProblem>(tunnel_around(*asked.body, asked.grid, settings));
}

}  // namespace

int solve_flow(const SolveCase& asked) {
  const auto problem = problem_of(asked);
  PreparedFlow prepared(flow_method_of(*asked.row), *asked.on, asked.row->precision, asked.config, problem);
  const double tolerance = asked.workload.real("tolerance");
  const int max_iterations = asked.workload.integer("max_iterations");
  if (const std::string wanted = asks_for(asked, *problem); !wanted.empty())
    fmt::print(
        "cell Peclet number up to {:.3g}: above 2 central convection may oscillate, or diverge; if so, try "
        "{}\n",
        cell_peclet_number(*problem), wanted);
  if (const std::string warning = grid_warning(*problem->description, problem->grid); !warning.empty())
    fmt::print("{}\n", warning);
  prepared.reset();
  prepared.solve(tolerance, std::min(max_iterations, 20));  // warm up
  prepared.reset();
  LiveResiduals live;
  prepared.solver().on_check = [&](const Outcome& so_far) { live(so_far); };
  Outcome outcome;
  const double seconds = asked.on->seconds([&] { outcome = prepared.solve(tolerance, max_iterations); });
  live.print(outcome);
  prepared.solver().on_check = nullptr;
  const FlowFields flow = prepared.solution();
  if (const auto found = find_divergence(prepared, *problem, outcome)) {
    print_divergence(asked, *problem, *found);
    if (found->last_good == 0) return exit_went_wrong;
    SolveCase of_good = asked;
    of_good.title += fmt::format(", before it diverged in iteration {}", found->last_good + 1);
    return show(of_good, *problem, outcome, found->flow) == exit_ok ? exit_went_wrong : exit_cannot_write;
  }
  const FlowResiduals found =
      flow_residuals(*find_flow_solver(asked.row->name), asked.row->method, asked.config, *problem, flow);
  outcome.converged = has_converged(outcome, found, asked.config, tolerance);
  print_answer(asked, *problem, outcome, flow, found, seconds);
  if (asked.routines) {
    prepared.reset();
    print_routines(prepared.solve_by_routine(tolerance, max_iterations).routines);
  }
  const int shown = show(asked, *problem, outcome, flow);
  return shown != exit_ok ? shown : outcome.converged ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
