#include "bench/solve/flow_files.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/solve/flow_vtk.hpp"
#include "bench/solve/print.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/json.hpp"
#include "bench/text/printable.hpp"
#include "solvers/problems/vortices.hpp"

namespace cfdmark {
namespace {

bool is_solid(const FlowProblem& problem, int i, int j, int k) {
  return CellFaces{int(problem.faces.get(i, j, k))}.is_solid();
}

// Returns the value in the middle of the depth of a 3-D flow; between two planes by cubic interpolation.
double in_the_middle(const HostField& f, int i, int j) {
  const int nz = f.grid().nz, k = nz / 2;
  if (nz % 2 == 1 || nz < 4) return f.get(i, j, k);
  return (9 * (f.get(i, j, k - 1) + f.get(i, j, k)) - f.get(i, j, k - 2) - f.get(i, j, k + 1)) / 16;
}

// Returns and prints the vortices of a plane flow whose stream function is at least 1e-5 of its maximum.
Json vortices_of(const FlowProblem& problem, const FlowFields& flow) {
  Json all = Json::array();
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

double setting_or_0(const FlowProblem& problem, const char* name) {
  return problem.settings.has(name) ? problem.settings.real(name) : 0;
}

// Returns (iteration, value) of each residual, without values that are not finite.
Json by_name(const ResidualHistory& residuals) {
  Json lists = Json::object();
  for (const auto& [iteration, values] : residuals)
    for (const NamedValue& residual : values)
      if (std::isfinite(residual.value)) lists[residual.name].push_back({iteration, residual.value});
  return lists;
}

// Runs plot-flow, which draws PREFIX-flow.png, PREFIX-history.png and, for a cavity, PREFIX-profiles.png.
int plot(const SolveCase& asked, const FlowProblem& problem, const Outcome& outcome,
         const ResidualHistory& residuals, const FlowFields& flow) {
  const Grid& g = problem.grid;
  const auto values = [&](const HostField& f) {
    return plane_of(g, [&](int i, int j) { return in_the_middle(f, i, j); });
  };
  auto history = outcome.history;
  std::erase_if(history, [](const auto& look) { return !std::isfinite(look.second); });
  Json drawn{{"title", asked.title + (g.is_3d() ? ", in the middle of its depth" : "")},
             {"dimensions", g.dims},
             {"problem", problem.description->name},
             {"reynolds", setting_or_0(problem, "reynolds")},
             {"rayleigh", setting_or_0(problem, "rayleigh")},
             {"time", flow.time},
             {"cell", {problem.cell.dx, problem.cell.dy}},
             {"u", values(flow.u)},
             {"v", values(flow.v)},
             {"p", values(flow.p)},
             {"solid", plane_of(g, [&](int i, int j) { return is_solid(problem, i, j, g.nz / 2) ? 1 : 0; })},
             {"vortices", vortices_of(problem, flow)},
             {"history", history},
             {"residuals", by_name(residuals)}};
  if (problem.heat) drawn["temperature"] = values(flow.temperature);
  return draw("plot-flow", asked.plot, drawn);
}

}  // namespace

int write_flow_files(const SolveCase& asked, const FlowProblem& problem, const Outcome& outcome,
                     const ResidualHistory& residuals, const FlowFields& flow, const FlowFields* means) {
  if (!asked.vtk.empty()) {
    write_vtk(asked.vtk, problem, flow, means);
    fmt::print("{}\n", printable(asked.vtk));
  }
  return asked.plot.empty() ? exit_ok : plot(asked, problem, outcome, residuals, flow);
}

}  // namespace cfdmark
