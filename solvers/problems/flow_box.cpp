// A box of fluid: the kind of each face, and the values that its sides prescribe.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "solvers/problems/body_distances.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

double value(const std::function<double(double, double)>& f, double x, double y) { return f ? f(x, y) : 0; }

// Predicate of body cells. Indices beyond a periodic side wrap around; beyond other sides there is no body.
class BodyCells {
 public:
  BodyCells(const Grid& g, const FlowBox& box) : g_(g), box_(box) {}
  // In 3-D a body extends from bottom to top.
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

// Returns the CellFaces of all cells and ghosts.
HostField faces_of(const Grid& g, const FlowBox& box) {
  HostField faces(g, Precision::fp64);
  const BodyCells body(g, box);
  for_each_cell(g, true, [&](int i, int j, int k) {
    const auto behind = [&](int to_i, int to_j, bool at_side, const FlowSide& side) {
      return body(to_i, to_j) ? FaceKind::fixed : at_side ? side.kind : FaceKind::fluid;
    };
    const bool inside_x = (i >= 0 && i < g.nx) || box.periodic_x,
               inside_y = (j >= 0 && j < g.ny) || box.periodic_y,
               inside_z = (k >= 0 && k < g.nz) || box.periodic_z, sides_in_z = g.is_3d() && !box.periodic_z;
    CellFaces cell = CellFaces::solid();
    if (body(i, j))
      cell = CellFaces::body();
    else if (inside_x && inside_y && inside_z)
      cell = CellFaces::of(behind(i - 1, j, i == 0 && !box.periodic_x, box.west),
                           behind(i + 1, j, i == g.nx - 1 && !box.periodic_x, box.east),
                           behind(i, j - 1, j == 0 && !box.periodic_y, box.south),
                           behind(i, j + 1, j == g.ny - 1 && !box.periodic_y, box.north),
                           behind(i, j, k == 0 && sides_in_z, box.bottom),
                           behind(i, j, k == g.nz - 1 && sides_in_z, box.top));
    // A face is stored with the cell behind it, so the last face of a line is stored with the ghost.
    else if (i == g.nx && inside_y && inside_z)
      cell.code += int(box.east.kind) - int(FaceKind::fixed);
    else if (j == g.ny && inside_x && inside_z)
      cell.code += 16 * (int(box.north.kind) - int(FaceKind::fixed));
    else if (k == g.nz && inside_x && inside_y)
      cell.code += 1024 * (int(box.top.kind) - int(FaceKind::fixed));
    faces.set(i, j, k, cell.code);
  });
  return faces;
}

// Throws std::invalid_argument if no cell belongs to the body.
void require_body(const Grid& g, const HostField& faces) {
  bool shown = false;
  for_each_cell(g, false,
                [&](int i, int j, int k) { shown |= CellFaces{int(faces.get(i, j, k))}.is_body(); });
  if (!shown)
    throw std::invalid_argument(fmt::format(
        "the body contains no cell centre on {}x{}: use more cells, or a thicker body", g.nx, g.ny));
}

// Throws std::invalid_argument if inflow and outflow differ without an outlet by more than the error of the
// midpoint rule on the sides.
void require_balance(const FlowProblem& problem) {
  const Grid& g = problem.grid;
  const FlowFields& start = problem.start;
  double in = 0, through = 0;
  const auto add = [&](double mass) { in += mass, through += std::abs(mass); };
  for_each_cell(g, false, [&](int i, int j, int k) {
    if (!problem.periodic_x && i == 0) add(start.mass_x.get(0, j, k)), add(-start.mass_x.get(g.nx, j, k));
    if (!problem.periodic_y && j == 0) add(start.mass_y.get(i, 0, k)), add(-start.mass_y.get(i, g.ny, k));
    if (!g.is_3d() || problem.periodic_z || k > 0) return;
    add(start.mass_z.get(i, j, 0)), add(-start.mass_z.get(i, j, g.nz));
  });
  constexpr double of_midpoints = 0.1;
  if (std::abs(in) > of_midpoints * through)
    throw std::invalid_argument(fmt::format(
        "{:.3g} per second more {}, and no side is an outlet: add an outlet, or balance the velocities",
        std::abs(in), in > 0 ? "flows in than out" : "flows out than in"));
}

// Throws std::invalid_argument if the body closes all faces of an inflow or of an outlet.
void require_openings(const Grid& g, const FlowBox& box, const HostField& faces) {
  const auto require = [&](const char* where, const FlowSide& side, bool across_x, int layer, double at) {
    bool is_opening = false, is_open = false;
    const int cells = across_x ? g.ny : g.nx;
    for (int n = 0; n < cells; ++n) {
      const double along = (n + 0.5) * (across_x ? box.height : box.width) / cells;
      const double through = across_x ? value(side.u, at, along) : value(side.v, along, at);
      if (side.kind != FaceKind::outlet && through == 0) continue;
      is_opening = true;
      is_open |= !CellFaces{int(across_x ? faces.get(layer, n) : faces.get(n, layer))}.is_solid();
    }
    if (is_opening && !is_open)
      throw std::invalid_argument(
          fmt::format("the body closes the {} in the {}: leave part of that side open",
                      side.kind == FaceKind::outlet ? "outlet" : "inflow", where));
  };
  if (!box.periodic_x) {
    require("west", box.west, true, 0, 0);
    require("east", box.east, true, g.nx - 1, box.width);
  }
  if (!box.periodic_y) {
    require("south", box.south, false, 0, 0);
    require("north", box.north, false, g.ny - 1, box.height);
  }
}

// Throws std::invalid_argument if there is no fluid or if it is disconnected. One plane suffices, since all
// planes along z are equal.
void require_one_piece(const Grid& g, const HostField& faces) {
  std::vector<char> is_new(Index(g.nx) * g.ny);
  std::vector<std::pair<int, int>> reached;
  Index fluid = 0, connected = 0;
  for_each_cell(g, false, [&](int i, int j, int k) {
    if (k > 0) return;
    const bool is_fluid = !CellFaces{int(faces.get(i, j))}.is_solid();
    is_new[Index(j) * g.nx + i] = is_fluid;
    if (is_fluid && fluid++ == 0) reached.push_back({i, j});
  });
  if (fluid == 0) throw std::invalid_argument("the body fills the whole box: make it smaller");
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
        fmt::format("the body cuts the fluid in two, {} of {} fluid cells are isolated: leave a way around "
                    "it, and fill its holes",
                    fluid - connected, fluid));
}

struct Place3 {
  int i, j, k;
};

// Sets the prescribed velocity of a side at (x, y) in its ghost, and the mass flow through its face.
void give_side(FlowProblem& problem, const FlowSide& side, const Place3& ghost, double x, double y,
               HostField& mass, const Place3& face) {
  const Grid& g = problem.grid;
  const int beside_i = std::clamp(ghost.i, 0, g.nx - 1), beside_j = std::clamp(ghost.j, 0, g.ny - 1),
            beside_k = std::clamp(ghost.k, 0, g.nz - 1);
  if (side.kind != FaceKind::fixed ||
      CellFaces{int(problem.faces.get(beside_i, beside_j, beside_k))}.is_solid())
    return;
  const double u = value(side.u, x, y), v = value(side.v, x, y);
  problem.start.u.set(ghost.i, ghost.j, ghost.k, u), problem.start.v.set(ghost.i, ghost.j, ghost.k, v);
  const FluidCell& cell = problem.cell;
  if (&mass == &problem.start.mass_x) mass.set(face.i, face.j, face.k, cell.density * u * cell.area(0));
  if (&mass == &problem.start.mass_y) mass.set(face.i, face.j, face.k, cell.density * v * cell.area(1));
}

// Applies give_side() to all sides of a box.
void give_sides(FlowProblem& problem, const FlowBox& box) {
  const Grid& g = problem.grid;
  const FluidCell& cell = problem.cell;
  FlowFields& start = problem.start;
  for_each_cell(g, false, [&](int i, int j, int k) {
    const double x = (i + 0.5) * cell.dx, y = (j + 0.5) * cell.dy;
    if (!box.periodic_x && i == 0) {
      give_side(problem, box.west, {-1, j, k}, 0, y, start.mass_x, {0, j, k});
      give_side(problem, box.east, {g.nx, j, k}, box.width, y, start.mass_x, {g.nx, j, k});
    }
    if (!box.periodic_y && j == 0) {
      give_side(problem, box.south, {i, -1, k}, x, 0, start.mass_y, {i, 0, k});
      give_side(problem, box.north, {i, g.ny, k}, x, box.height, start.mass_y, {i, g.ny, k});
    }
    if (g.is_3d() && !box.periodic_z && k == 0) {
      give_side(problem, box.bottom, {i, j, -1}, x, y, start.mass_z, {i, j, 0});
      give_side(problem, box.top, {i, j, g.nz}, x, y, start.mass_z, {i, j, g.nz});
    }
  });
}

bool has_outlet(const FlowBox& box) {
  const auto is = [](const FlowSide& side) { return side.kind == FaceKind::outlet; };
  return (!box.periodic_x && (is(box.west) || is(box.east))) ||
         (!box.periodic_y && (is(box.south) || is(box.north))) ||
         (!box.periodic_z && (is(box.bottom) || is(box.top)));
}

// Balances the inflow by an outflow in the east. Its initial velocity is uniform, since the outlet
// extrapolates it.
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
  for (int j : open)
    start.u.set(g.nx - 1, j, 0, mass / (problem.cell.density * problem.cell.dy * double(open.size())));
}

std::optional<std::array<int, 3>> first_of_fluid(const Grid& g, const HostField& faces) {
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i)
      if (!CellFaces{int(faces.get(i, j))}.is_solid()) return std::array{i, j, 0};
  return {};
}

}  // namespace

FlowProblem flow_in_box(const Grid& g, const FlowBox& box) {
  const auto field = [&](FieldPlace place) { return HostField(g.at(place), Precision::fp64); };
  FlowProblem problem;
  problem.grid = g;
  problem.cell = {box.width / g.nx, box.height / g.ny, g.is_3d() ? box.depth / g.nz : 1, 1, box.viscosity};
  problem.periodic_x = box.periodic_x, problem.periodic_y = box.periodic_y;
  problem.periodic_z = g.is_3d() && box.periodic_z;
  problem.faces = faces_of(g, box);
  if (box.is_body) {
    require_body(g, problem.faces);
    require_one_piece(g, problem.faces);
    require_openings(g, box, problem.faces);
    problem.has_wall_distances = box.wall_distances;
    if (box.wall_distances) problem.wall_distances = distances_to_body(g, box, problem.faces);
  }
  const bool gives_a_pressure = has_outlet(box) && box.outlet_gives_pressure;
  if (!gives_a_pressure) problem.anchor = first_of_fluid(g, problem.faces);
  FlowFields& start = problem.start;
  start = {field(FieldPlace::cell), field(FieldPlace::cell), field(FieldPlace::cell),
           field(FieldPlace::face_x), field(FieldPlace::face_y)};
  if (g.is_3d()) start.w = field(FieldPlace::cell), start.mass_z = field(FieldPlace::face_z);
  give_sides(problem, box);
  if (!has_outlet(box)) require_balance(problem);
  if (!box.outlet_gives_pressure) add_outflow(problem);
  return problem;
}

}  // namespace cfdmark
