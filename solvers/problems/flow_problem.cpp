#include "solvers/problems/flow_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cfdmark {
namespace {

double value(const std::function<double(double, double)>& f, double x, double y) { return f ? f(x, y) : 0; }

// Which cells are of the body; beyond the box none, or those of the other side where it is periodic.
class BodyCells {
 public:
  BodyCells(const Grid& g, const FlowBox& box) : g_(g), box_(box) {}
  bool operator()(int i, int j) const {
    if (!box_.is_body) return false;
    if (box_.periodic_x) i = (i + g_.nx) % g_.nx;
    if (box_.periodic_y) j = (j + g_.ny) % g_.ny;
    if (i < 0 || i >= g_.nx || j < 0 || j >= g_.ny) return false;
    return box_.is_body((i + 0.5) * box_.width / g_.nx, (j + 0.5) * box_.height / g_.ny);
  }

 private:
  const Grid& g_;
  const FlowBox& box_;
};

// The cells of the box, and its ghosts: what lies behind each face.
HostField faces_of(const Grid& g, const FlowBox& box) {
  HostField faces(g, Precision::fp64);
  const BodyCells body(g, box);
  for_each_cell(g, true, [&](int i, int j, int k) {
    const auto behind = [&](int to_i, int to_j, bool at_side, const FlowSide& side) {
      return body(to_i, to_j) ? FaceKind::fixed : at_side ? side.kind : FaceKind::fluid;
    };
    const bool inside_x = (i >= 0 && i < g.nx) || box.periodic_x,
               inside_y = (j >= 0 && j < g.ny) || box.periodic_y;
    CellFaces cell = CellFaces::solid();
    if (body(i, j))
      cell = CellFaces::body();
    else if (inside_x && inside_y)
      cell = CellFaces::of(behind(i - 1, j, i == 0 && !box.periodic_x, box.west),
                           behind(i + 1, j, i == g.nx - 1 && !box.periodic_x, box.east),
                           behind(i, j - 1, j == 0 && !box.periodic_y, box.south),
                           behind(i, j + 1, j == g.ny - 1 && !box.periodic_y, box.north));
    // A face belongs to the cell behind it: the last face of a row or column to the ghost.
    else if (i == g.nx && inside_y)
      cell.code += int(box.east.kind) - int(FaceKind::fixed);
    else if (j == g.ny && inside_x)
      cell.code += 16 * (int(box.north.kind) - int(FaceKind::fixed));
    faces.set(i, j, k, cell.code);
  });
  return faces;
}

// Throws if there is no fluid, or if it is in several pieces.
void require_one_piece(const Grid& g, const HostField& faces) {
  std::vector<char> is_new(g.cells());
  std::vector<std::pair<int, int>> reached;
  Index fluid = 0, connected = 0;
  for_each_cell(g, false, [&](int i, int j, int) {
    const bool is_fluid = !CellFaces{int(faces.get(i, j))}.is_solid();
    is_new[Index(j) * g.nx + i] = is_fluid;
    if (is_fluid && fluid++ == 0) reached.push_back({i, j});
  });
  if (fluid == 0) throw std::invalid_argument("the body fills the whole box: there is no fluid left");
  const auto reach = [&](int i, int j) {
    i = (i + g.nx) % g.nx, j = (j + g.ny) % g.ny;
    if (char& is = is_new[Index(j) * g.nx + i]; is) is = false, reached.push_back({i, j}), ++connected;
  };
  const auto [first_i, first_j] = reached.back();
  reached.clear();
  reach(first_i, first_j);
  while (!reached.empty()) {
    const auto [i, j] = reached.back();
    reached.pop_back();
    const CellFaces cell{int(faces.get(i, j))};
    if (cell.west() == FaceKind::fluid) reach(i - 1, j);
    if (cell.east() == FaceKind::fluid) reach(i + 1, j);
    if (cell.south() == FaceKind::fluid) reach(i, j - 1);
    if (cell.north() == FaceKind::fluid) reach(i, j + 1);
  }
  if (connected < fluid)
    throw std::invalid_argument(
        fmt::format("the body cuts the fluid in two: {} of {} cells cannot be reached from the others",
                    fluid - connected, fluid));
}

// The velocity that a side gives, in its ghosts, and the mass that it brings.
void give_side(FlowProblem& problem, const FlowSide& side, int i, int j, double x, double y, HostField& mass,
               int face_i, int face_j, double area) {
  const int beside_i = std::clamp(i, 0, problem.grid.nx - 1),
            beside_j = std::clamp(j, 0, problem.grid.ny - 1);
  if (side.kind != FaceKind::fixed || CellFaces{int(problem.faces.get(beside_i, beside_j))}.is_solid())
    return;
  const double u = value(side.u, x, y), v = value(side.v, x, y);
  problem.start.u.set(i, j, 0, u), problem.start.v.set(i, j, 0, v);
  const bool across_x = &mass == &problem.start.mass_x;
  mass.set(face_i, face_j, 0, problem.cell.density * (across_x ? u : v) * area);
}

}  // namespace

const std::vector<FlowProblemDescription>& flow_problem_table() {
  static const std::vector<FlowProblemDescription> table = {
      cavity_problem(), channel_problem(),  kovasznay_problem(),         taylor_green_problem(),
      tunnel_problem(), cylinder_problem(), natural_convection_problem()};
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
  if (g.is_3d()) return fmt::format("{} is a 2-D flow", problem.name);
  if (g.nx < 3 || g.ny < 3) return fmt::format("{} needs at least 3 cells each way", problem.name);
  if (!problem.unsuitable) return "";
  const std::string reason = problem.unsuitable(settings, g);
  return reason.empty() ? "" : problem.name + ": " + reason;
}

FlowProblem make_flow_problem(const FlowProblemDescription& description, const Grid& grid,
                              const Config& given) {
  const Config settings = TuningSpace{description.settings}.complete(given);
  if (const std::string reason = unsuitable_flow_grid(description, settings, grid); !reason.empty())
    throw std::invalid_argument(reason);
  FlowProblem problem = description.make(settings, grid);
  problem.description = &description;
  problem.settings = settings;
  for (const HostField* velocity : {&problem.start.u, &problem.start.v})
    for_each_cell(grid, true, [&](int i, int j, int k) {
      problem.speed = std::max(problem.speed, std::abs(velocity->get(i, j, k)));
    });
  return problem;
}

std::string odd_around(char axis, int cells) {
  if (cells % 2 == 0) return "";
  return fmt::format(
      "{} cells in {}, where it is periodic, are odd: the colours of red-black sweeps need an even number",
      cells, axis);
}

std::string too_coarse(const Grid& g, double width, double height, double diameter) {
  constexpr double least = 4;
  const double across = diameter / std::max(width / g.nx, height / g.ny);
  if (across >= least) return "";
  const double nx = std::ceil(width * least / diameter), ny = std::ceil(height * least / diameter);
  return fmt::format("the body is {:.2g} cells across on {}x{}: at least {} are needed, as on {:.0f}x{:.0f}",
                     across, g.nx, g.ny, least, nx, ny);
}

double flow_problem_bytes(const Grid& g) { return 8.0 * double(g.elements()) * sizeof(double); }

Setting outlet_setting() {
  return word_setting(
      "outlet", {"pressure", "velocity"}, "pressure",
      "what it gives: a pressure of 0; or the velocity inside, times what lets out what comes in");
}
bool gives_pressure(const Config& settings) { return settings.is(outlet_setting().name, "pressure"); }

Setting reynolds_setting(double fallback) {
  return real_setting("reynolds", fallback, real_above(0),
                      "Reynolds number, of the problem's own length and speed");
}

namespace {

bool gives_a_pressure(const FlowBox& box) {
  if (!box.outlet_gives_pressure) return false;
  const auto is = [](const FlowSide& side) { return side.kind == FaceKind::outlet; };
  return (!box.periodic_x && (is(box.west) || is(box.east))) ||
         (!box.periodic_y && (is(box.south) || is(box.north)));
}

// What the other sides bring leaves in the east; it begins evenly, so that there is a velocity to go on.
void add_outflow(FlowProblem& problem) {
  const Grid& g = problem.grid;
  FlowFields& start = problem.start;
  double mass = 0;
  for (int j = 0; j < g.ny; ++j) mass += start.mass_x.get(0, j);
  for (int i = 0; i < g.nx; ++i) mass += start.mass_y.get(i, 0) - start.mass_y.get(i, g.ny);
  problem.outflow = Outflow{g.nx, 0, g.ny, mass};
  std::vector<int> open;
  for (int j = 0; j < g.ny; ++j)
    if (CellFaces{int(problem.faces.get(g.nx - 1, j))}.east() == FaceKind::outlet) open.push_back(j);
  if (open.empty()) throw std::invalid_argument("the body closes the outlet: what comes in cannot leave");
  for (int j : open)
    start.u.set(g.nx - 1, j, 0, mass / (problem.cell.density * problem.cell.dy * double(open.size())));
}

std::optional<std::array<int, 2>> first_of_fluid(const Grid& g, const HostField& faces) {
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i)
      if (!CellFaces{int(faces.get(i, j))}.is_solid()) return std::array{i, j};
  return {};
}

}  // namespace

FlowProblem flow_in_box(const Grid& g, const FlowBox& box) {
  const auto field = [&](FieldPlace place) { return HostField(g.at(place), Precision::fp64); };
  FlowProblem problem;
  problem.grid = g;
  problem.cell = {box.width / g.nx, box.height / g.ny, 1, box.viscosity};
  problem.periodic_x = box.periodic_x, problem.periodic_y = box.periodic_y;
  problem.faces = faces_of(g, box);
  if (box.is_body) require_one_piece(g, problem.faces);
  if (!gives_a_pressure(box)) problem.anchor = first_of_fluid(g, problem.faces);
  FlowFields& start = problem.start;
  start = {field(FieldPlace::cell), field(FieldPlace::cell), field(FieldPlace::cell),
           field(FieldPlace::face_x), field(FieldPlace::face_y)};
  for (int j = 0; j < g.ny && !box.periodic_x; ++j) {
    const double y = (j + 0.5) * problem.cell.dy;
    give_side(problem, box.west, -1, j, 0, y, start.mass_x, 0, j, problem.cell.dy);
    give_side(problem, box.east, g.nx, j, box.width, y, start.mass_x, g.nx, j, problem.cell.dy);
  }
  for (int i = 0; i < g.nx && !box.periodic_y; ++i) {
    const double x = (i + 0.5) * problem.cell.dx;
    give_side(problem, box.south, i, -1, x, 0, start.mass_y, i, 0, problem.cell.dx);
    give_side(problem, box.north, i, g.ny, x, box.height, start.mass_y, i, g.ny, problem.cell.dx);
  }
  if (!box.outlet_gives_pressure) add_outflow(problem);
  return problem;
}

std::vector<NamedValue> flow_results(const FlowProblem& problem, const FlowFields& flow) {
  std::vector<NamedValue> all = problem.description->results(problem, flow);
  double sum = 0;
  Index cells = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    if (CellFaces{int(problem.faces.get(i, j))}.is_solid()) return;
    sum += (i + j) % 2 == 0 ? flow.p.get(i, j) : -flow.p.get(i, j);
    ++cells;
  });
  all.push_back({"checkerboard", std::abs(sum) / double(cells)});
  return all;
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
