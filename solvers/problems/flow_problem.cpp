#include "solvers/problems/flow_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solvers/problems/surface_vorticity.hpp"

namespace cfdmark {

const std::vector<FlowProblemDescription>& flow_problem_table() {
  static const std::vector<FlowProblemDescription> table = {cavity_problem(),
                                                            manufactured_cavity_problem(),
                                                            channel_problem(),
                                                            kovasznay_problem(),
                                                            taylor_green_problem(),
                                                            taylor_green_3d_problem(),
                                                            tunnel_problem(),
                                                            tow_problem(),
                                                            cylinder_problem(),
                                                            natural_convection_problem(),
                                                            mixing_length_channel_problem(),
                                                            random_field_problem()};
  return table;
}

std::vector<std::string> flow_problem_names() {
  std::vector<std::string> names;
  for (const FlowProblemDescription& problem : flow_problem_table()) names.push_back(problem.name);
  return names;
}

const FlowProblemDescription* find_flow_problem(std::string_view name) {
  for (const FlowProblemDescription& problem : flow_problem_table())
    if (problem.name == name) return &problem;
  return nullptr;
}

std::string unsuitable_flow_grid(const FlowProblemDescription& problem, const Config& settings,
                                 const Grid& g) {
  if (!(g.is_3d() ? problem.in_3d : problem.in_2d))
    return fmt::format("{} is a {}-D flow", problem.name, g.is_3d() ? 2 : 3);
  if (g.nx < 3 || g.ny < 3 || (g.is_3d() && g.nz < 3))
    return fmt::format("{} needs at least 3 cells in each direction", problem.name);
  if (!problem.unsuitable) return "";
  const std::string reason = problem.unsuitable(settings, g);
  return reason.empty() ? "" : problem.name + ": " + reason;
}

FlowProblem make_flow_problem(const FlowProblemDescription& description, const Grid& grid,
                              const Config& settings) {
  TuningSpace{description.settings}.check(settings);
  if (const std::string reason = unsuitable_flow_grid(description, settings, grid); !reason.empty())
    throw std::invalid_argument(reason);
  FlowProblem problem = description.make(settings, grid);
  problem.description = &description;
  problem.settings = settings;
  note_speeds(problem);
  return problem;
}

void note_speeds(FlowProblem& problem) {
  const Grid& grid = problem.grid;
  const HostField* const velocities[] = {&problem.start.u, &problem.start.v, &problem.start.w};
  for (int axis = 0; axis < grid.dims; ++axis)
    for_each_cell(grid, true, [&](int i, int j, int k) {
      const double speed = std::abs(velocities[axis]->get(i, j, k));
      const bool is_ghost = i < 0 || i >= grid.nx || j < 0 || j >= grid.ny || k < 0 || k >= grid.nz;
      problem.speed = std::max(problem.speed, speed);
      if (is_ghost) problem.boundary_speeds[axis] = std::max(problem.boundary_speeds[axis], speed);
    });
}

double cell_peclet_number(const FlowProblem& problem) {
  const FluidCell& cell = problem.cell;
  double longest = 0;
  for (int axis = 0; axis < problem.grid.dims; ++axis) longest = std::max(longest, cell.side(axis));
  return cell.density * problem.speed * longest / cell.viscosity;
}

std::string odd_around(char axis, int cells) {
  if (cells % 2 == 0) return "";
  return fmt::format("{} cells along the periodic axis {}: red-black colouring needs an even number", cells,
                     axis);
}

std::string grid_of_units(double nx, double ny, const std::array<int, 2>& unit) {
  const auto units_of = [](double cells, int of) { return std::ceil(cells / of * (1 - 1e-12)); };
  double x = units_of(nx, unit[0]), y = units_of(ny, unit[1]);
  if (unit != std::array<int, 2>{1, 1}) x = y = std::max(x, y);
  return fmt::format("{:.0f}x{:.0f}", x * unit[0], y * unit[1]);
}

std::string grid_warning(const FlowProblemDescription& problem, const Grid& g) {
  const int rows = problem.grid_unit[1];
  if (g.is_3d() || g.ny % rows == 0) return "";
  return fmt::format("{} on {}x{}: {}; use a multiple of {} rows, such as --grid {}", problem.name, g.nx,
                     g.ny, problem.grid_unit_reason, rows, grid_of_units(g.nx, g.ny, problem.grid_unit));
}

std::string too_coarse(const Grid& g, double width, double height, const BodySize& body,
                       const std::array<int, 2>& unit) {
  constexpr double least = 4;
  const double along = body.length / (width / g.nx), across = body.diameter / (height / g.ny);
  if (std::min(along, across) >= least) return "";
  // Square cells stay square, as those of an image must.
  const bool is_square = std::abs(width * g.ny / (height * g.nx) - 1) < 1e-9;
  const double finer_x = std::max(1.0, least / (is_square ? std::min(along, across) : along)),
               finer_y = std::max(1.0, least / (is_square ? std::min(along, across) : across));
  return fmt::format(
      "the body is {:.2g} cells long and {:.2g} cells across on {}x{}, but needs at least {}: use --grid {}",
      along, across, g.nx, g.ny, least, grid_of_units(g.nx * finer_x, g.ny * finer_y, unit));
}

double flow_problem_bytes(const Grid& g) {
  return (g.is_3d() ? 10.0 : 8.0) * double(Layout(g).elements) * sizeof(double);
}

Setting outlet_setting() {
  return choice_setting(
      "outlet", {"pressure", "velocity"}, "pressure",
      "condition at the outlet: pressure 0, or the velocity inside, scaled to balance the inflow");
}
bool gives_pressure(const Config& settings) { return settings.is(outlet_setting().name, "pressure"); }

Setting wall_setting() {
  return choice_setting(
      "surface", {"staircase", "distances"}, "staircase",
      "surface of the body: the faces of its cells, or at true distances (simple and piso)");
}
bool has_true_walls(const Config& settings) { return settings.is(wall_setting().name, "distances"); }

Setting reynolds_setting(double default_value) {
  return real_setting("reynolds", default_value, real_above(0),
                      "Reynolds number, with the problem's length and speed");
}

std::vector<NamedValue> flow_results(const FlowProblem& problem, const FlowFields& flow) {
  std::vector<NamedValue> all = problem.description->results(problem, flow);
  double sum = 0;
  Index cells = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int k) {
    if (CellFaces{int(problem.faces.get(i, j, k))}.is_solid()) return;
    sum += (i + j + k) % 2 == 0 ? flow.p.get(i, j, k) : -flow.p.get(i, j, k);
    ++cells;
  });
  all.push_back({"checkerboard", std::abs(sum) / double(cells)});
  if (const auto surface = surface_vorticity(problem.outline, problem.cell, problem.faces, flow)) {
    all.push_back({"surface_vorticity_mean", surface->mean});
    all.push_back({"surface_vorticity_spread", surface->spread});
  }
  return all;
}

std::vector<PublishedValue> published_values(const FlowProblem& problem, double time) {
  const auto published = problem.description->published;
  return published ? published(problem, time) : std::vector<PublishedValue>{};
}

std::vector<NamedValue> velocity_errors(const FlowProblem& problem, const FlowFields& flow,
                                        const std::function<double(double, double)>& u,
                                        const std::function<double(double, double)>& v) {
  struct Error {
    double max = 0, sum = 0;
    void add(double e) {
      if (!(std::abs(e) <= max)) max = std::abs(e);  // a NaN stays
      sum += e * e;
    }
  } error_u, error_v;
  const FluidCell& c = problem.cell;
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    const Centre at(c, i, j);
    if (flow.staggered) {
      error_u.add(flow.mass_x.get(i, j) / (c.density * c.dy) - u(i * c.dx, at.y));
      error_v.add(flow.mass_y.get(i, j) / (c.density * c.dx) - v(at.x, j * c.dy));
    } else {
      error_u.add(flow.u.get(i, j) - u(at.x, at.y));
      error_v.add(flow.v.get(i, j) - v(at.x, at.y));
    }
  });
  const double cells = double(problem.grid.cells());
  return {{"error_u_max", error_u.max},
          {"error_u_l2", std::sqrt(error_u.sum / cells)},
          {"error_v_max", error_v.max},
          {"error_v_l2", std::sqrt(error_v.sum / cells)}};
}

}  // namespace cfdmark
