// Problems of the flow solvers, in double precision on the host. One file describes each;
// flow_problem_table() lists them.
//
// Unknowns lie at cell centres. The reference length, speed and density of a problem's Reynolds number are 1.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/config.hpp"
#include "kernels/core/finite_volume.hpp"
#include "kernels/device/field.hpp"
#include "solvers/base/outcome.hpp"
#include "solvers/base/problem.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

// A flow on the host: an initial flow, or the result of a solver.
struct FlowFields {
  HostField u, v, p;              // at cell centres; ghosts of u and v hold the boundary velocity
  HostField mass_x, mass_y;       // mass flow through faces; prescribed on boundaries with given velocity
  HostField w = {}, mass_z = {};  // 3-D only
  HostField temperature = {};     // with heat only; ghosts hold the wall temperature
  double time = 0;                // since the start
  // True if u and v are averages of face velocities, as a staggered solver computes them.
  bool staggered = false;
};

struct FlowProblemDescription;

// A temperature that the flow transports and that causes buoyancy.
struct Heat {
  double diffusivity = 1;
  double lift = 0;  // acceleration along y per unit of temperature
  bool operator==(const Heat&) const = default;
};

// An outlet without a prescribed pressure: the velocity is extrapolated and scaled so that the outflow equals
// the inflow. A column of faces from (i, j) of mass_x on.
struct Outflow {
  int i = 0, j = 0, faces = 1;
  double mass = 0;  // mass flow through the faces, in the direction of x
  bool operator==(const Outflow&) const = default;
};

// Properties of a flow that solvers need besides its fields.
struct FlowDomain {
  FluidCell cell;
  bool periodic_x = false, periodic_y = false, periodic_z = false;
  double driving_force = 0;                    // along x, per unit volume
  bool has_forces = false;                     // spatially varying forces: FlowProblem::force_x and force_y
  bool has_wall_distances = false;             // true distances to the body: FlowProblem::wall_distances
  double speed = 1;                            // largest expected speed
  std::array<double, 3> boundary_speeds = {};  // along x, y, z: largest speed of walls and inflows
  double mass_scale = 1;                       // rho U L, the scale of continuity residuals
  double force_scale = 0;  // rho U^2 D / 2 of the body, the scale of drag and lift; 0: no body
  // A fluid cell where the pressure is fixed. Set if no outlet prescribes the pressure, which is then known
  // only up to a constant.
  std::optional<std::array<int, 3>> anchor = {};
  std::optional<Outflow> outflow = {};
  std::optional<Heat> heat = {};

  bool is_periodic() const { return periodic_x || periodic_y || periodic_z; }
};

struct FlowProblem : Problem, FlowDomain {
  const FlowProblemDescription* description = nullptr;  // in flow_problem_table(), or outlives this
  Config settings;
  Grid grid;
  HostField faces;             // CellFaces of each cell
  HostField force_x, force_y;  // per unit volume; only with has_forces
  HostField wall_distances;    // WallDistances of each cell; only with has_wall_distances
  HostField thermal_faces;     // face kinds for heat: insulated faces are slip
  FlowFields start;
  Outline outline;  // of the body; without corners if there is none, or if it is an image
};

struct FlowProblemDescription {
  std::string name, help;              // help: one line
  std::vector<Setting> settings = {};  // of the problem
  FlowProblem (*make)(const Config&, const Grid&);
  // Returns the named results of a flow: values at a point, differences from exact or published ones.
  std::vector<NamedValue> (*results)(const FlowProblem&, const FlowFields&);
  // Returns published values of these results for the problem's settings, dimension and time since the start.
  // Null: there are none.
  std::vector<PublishedValue> (*published)(const FlowProblem&, double time) = nullptr;
  // Returns why the problem does not suit a grid, apart from its dimension and least size; empty if it does.
  // Null: every grid suits.
  std::string (*unsuitable)(const Config&, const Grid&) = nullptr;
  bool in_2d = true, in_3d = false;
  // Columns and rows of the coarsest grid that fits the geometry; multiples fit too. {1, 1}: every grid fits.
  std::array<int, 2> grid_unit = {1, 1};
  // Why results are doubtful if the number of rows is not a multiple.
  const char* grid_unit_reason = "";
  std::string solver = "simple";  // default solver in 2-D; in 3-D it is projection
};

FlowProblemDescription cavity_problem();
FlowProblemDescription manufactured_cavity_problem();
FlowProblemDescription channel_problem();
FlowProblemDescription kovasznay_problem();
FlowProblemDescription taylor_green_problem();
FlowProblemDescription taylor_green_3d_problem();
FlowProblemDescription tunnel_problem();
FlowProblemDescription tow_problem();
FlowProblemDescription cylinder_problem();
FlowProblemDescription natural_convection_problem();
FlowProblemDescription mixing_length_channel_problem();
FlowProblemDescription random_field_problem();

const std::vector<FlowProblemDescription>& flow_problem_table();
std::vector<std::string> flow_problem_names();
// Returns null for an unknown name.
const FlowProblemDescription* find_flow_problem(std::string_view name);

// Returns why a flow with these complete settings does not suit a grid; empty if it does.
std::string unsuitable_flow_grid(const FlowProblemDescription&, const Config& settings, const Grid&);
// Returns why results on this grid are doubtful, with a better grid; empty if its rows fit the geometry.
std::string grid_warning(const FlowProblemDescription&, const Grid&);
// Returns the least multiple of a unit with at least nx columns and ny rows, such as "440x82". nx and ny need
// not be integers.
std::string grid_of_units(double nx, double ny, const std::array<int, 2>& unit);
// Returns the problem with these settings, which are complete. Throws std::invalid_argument with
// unsuitable_flow_grid(), or for an unknown or invalid setting.
FlowProblem make_flow_problem(const FlowProblemDescription&, const Grid&, const Config& settings);
// Returns the problem with its default settings.
inline FlowProblem make_flow_problem(const FlowProblemDescription& problem, const Grid& grid) {
  return make_flow_problem(problem, grid, TuningSpace{problem.settings}.defaults());
}
// Raises the flow's speeds to those of its start and its boundaries.
void note_speeds(FlowProblem&);
// Returns the cell Peclet number rho U h / mu, with the largest expected speed and the longest side of a
// cell. Above 2, central convection has negative coefficients, and its solution may oscillate from cell to
// cell.
double cell_peclet_number(const FlowProblem&);
constexpr double tunnel_width = 4;  // in heights
// Returns the tunnel around a drawn body, or problem `tow` with it, with these settings, which are complete.
// Throws std::invalid_argument for another problem, and with the body's file if the grid is too coarse for it
// or flow_in_box() rejects it.
FlowProblem tunnel_around(const DrawnBody&, const Grid&, const Config& settings,
                          const std::string& problem = "tunnel");
// Returns the host memory of a flow in bytes.
double flow_problem_bytes(const Grid&);

// Returns the setting of an outlet, which prescribes its pressure or its velocity.
Setting outlet_setting();
bool gives_pressure(const Config& settings);
// Returns the setting of the walls of a body: on the faces of its cells, or at its true distances.
Setting wall_setting();
bool has_true_walls(const Config& settings);

// Returns the setting of the Reynolds number rho U L / mu.
Setting reynolds_setting(double default_value);

// A side of a box and its prescribed velocity. In 3-D it is the same for all z, and its z component is 0.
struct FlowSide {
  FaceKind kind = FaceKind::fixed;
  std::function<double(double x, double y)> u = nullptr, v = nullptr;  // null: 0
};
struct FlowBox {
  double width = 1, height = 1, depth = 1, viscosity = 1;  // depth along z, 3-D only
  FlowSide west = {}, east = {}, south = {}, north = {}, bottom = {}, top = {};
  bool periodic_x = false, periodic_y = false, periodic_z = false;  // periodic sides ignore their FlowSide
  bool outlet_gives_pressure = true;  // false: only the east side is an outlet, in 2-D; see Outflow
  std::function<bool(double x, double y)> is_body = nullptr;  // true if a point lies in a body; null: no body
  bool wall_distances = false;  // true: computes the distances from cells to the body, 2-D only
};
// Returns a box of fluid of density 1, at rest apart from its boundary. The mass flow of a side uses its
// velocity at the centre of each face. A cell belongs to the body if its centre does. Throws
// std::invalid_argument if the body has no cell, leaves no fluid, isolates part of it, or closes an inflow or
// an outlet.
FlowProblem flow_in_box(const Grid&, const FlowBox&);

// Returns why a periodic axis ('x', 'y' or 'z') of so many cells has no red-black colouring; empty if it has
// one.
std::string odd_around(char axis, int cells);
// Extent of a body along the flow and across it.
struct BodySize {
  double length, diameter;
};
// Returns why a grid is too coarse for a body, with fewer than four cells along or across it; empty if it is
// fine enough. The suggested grid is a multiple of the unit and keeps square cells.
std::string too_coarse(const Grid&, double width, double height, const BodySize&,
                       const std::array<int, 2>& unit = {1, 1});

// The centre of cell (i, j).
struct Centre {
  double x, y;
  Centre(const FluidCell& c, int i, int j) : x((i + 0.5) * c.dx), y((j + 0.5) * c.dy) {}
};

// Returns the problem's named results, and "checkerboard": the amplitude of (-1)^(i + j + k) in the pressure
// of the fluid, a mode that interpolated velocities do not see. With the outline of a body also
// "surface_vorticity_mean" and "surface_vorticity_spread" (surface_vorticity.hpp).
std::vector<NamedValue> flow_results(const FlowProblem&, const FlowFields&);
// Returns published values of these results.
std::vector<PublishedValue> published_values(const FlowProblem&, double time);

// Returns "error_u_max", "error_u_l2" and the same of v, relative to exact velocities.
std::vector<NamedValue> velocity_errors(const FlowProblem&, const FlowFields&,
                                        const std::function<double(double, double)>& u,
                                        const std::function<double(double, double)>& v);

}  // namespace cfdmark
