// The flows that flow solvers are run on, all in 64 bits on the host. Each has a file of its own that
// describes it; flow_problem_table() lists them.
//
// Unknowns lie at the centres of cells. Lengths, speeds and the density are those that a problem's Reynolds
// number is made of, all 1.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backends/field.hpp"
#include "kernels/core/config.hpp"
#include "kernels/core/finite_volume.hpp"
#include "solvers/core/outcome.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

// A flow as it is on the host: what it starts from, or what a solver left.
struct FlowFields {
  HostField u, v, p;              // at the centres; ghosts of u and v hold the boundary's velocity
  HostField mass_x, mass_y;       // through the faces; on boundaries with a given velocity what it brings
  HostField w = {}, mass_z = {};  // in 3-D
  HostField temperature = {};     // where there is heat; ghosts hold that of walls
  double time = 0;                // that has passed since the start
  // u and v are means of what goes through the faces, where the solver has them.
  bool staggered = false;
};

struct FlowProblemDescription;

// A temperature that the flow carries, and that lifts it.
struct Heat {
  double diffusivity = 1;
  double lift = 0;  // the acceleration along y for each unit of temperature
};

// An outlet that gives no pressure: the velocity goes on as it is, times what makes as much leave as comes
// in. A column of faces, from (i, j) of mass_x on.
struct Outflow {
  int i = 0, j = 0, faces = 1;
  double mass = 0;  // that is to go through them, in the direction of x
};

// What solvers know of a flow beside its fields.
struct FlowDomain {
  FluidCell cell;
  bool periodic_x = false, periodic_y = false, periodic_z = false;
  double driving_force = 0;                    // along x, on a unit of volume
  bool has_forces = false;                     // that differ from place to place: FlowProblem has them
  double speed = 1;                            // the largest that is to be expected
  std::array<double, 3> boundary_speeds = {};  // along x, y, z: the largest that walls and inflows have
  double mass_scale = 1;                       // rho U L, to judge what goes missing by
  double force_scale = 0;  // rho U^2 D / 2 of the body in the flow, whose coefficients are wanted; 0: none
  // A cell of the fluid, where no outlet says what the pressure is: only its differences matter then.
  std::optional<std::array<int, 3>> anchor = {};
  std::optional<Outflow> outflow = {};
  std::optional<Heat> heat = {};

  bool is_periodic() const { return periodic_x || periodic_y || periodic_z; }
};

struct FlowProblem : FlowDomain {
  const FlowProblemDescription* description = nullptr;  // of flow_problem_table(), or what outlives this
  Config settings;
  Grid grid;
  HostField faces;             // CellFaces of each cell
  HostField force_x, force_y;  // on a unit of volume, where the domain has such
  HostField thermal_faces;     // those of heat: where none passes they are slip
  FlowFields start;
};

// What others found for one of a problem's results.
struct PublishedValue {
  std::string name;
  double value = 0;
  std::string source;  // authors and year
  double time = 0;     // since the start, of a flow on its way; 0: at rest
};

struct FlowProblemDescription {
  std::string name, help;              // help: one line
  std::vector<Setting> settings = {};  // what may be set of it
  FlowProblem (*make)(const Config&, const Grid&);
  // What of a flow has a name: values at a place, the difference from what is known.
  std::vector<NamedValue> (*results)(const FlowProblem&, const FlowFields&);
  // Of some of these, for its settings, its dimensions and so much time since the start; none where nobody is
  // known. Null: never.
  std::vector<PublishedValue> (*published)(const FlowProblem&, double time) = nullptr;
  // Why it cannot be posed on a grid, beside the grid's dimension and least size. Null: it can.
  std::string (*unsuitable)(const Config&, const Grid&) = nullptr;
  bool in_2d = true, in_3d = false;
  // Columns and rows of the coarsest grid that suits the geometry. Multiples of it do, too. {1, 1}: all do.
  std::array<int, 2> grid_unit = {1, 1};
  // Why an answer is doubtful where the rows are not a multiple.
  const char* grid_unit_reason = "";
  std::string solver = "simple";  // where nobody names one; in 3-D it is projection
};

FlowProblemDescription cavity_problem();
FlowProblemDescription manufactured_cavity_problem();
FlowProblemDescription channel_problem();
FlowProblemDescription kovasznay_problem();
FlowProblemDescription taylor_green_problem();
FlowProblemDescription taylor_green_3d_problem();
FlowProblemDescription tunnel_problem();
FlowProblemDescription cylinder_problem();
FlowProblemDescription natural_convection_problem();
FlowProblemDescription mixing_length_channel_problem();
FlowProblemDescription random_field_problem();

const std::vector<FlowProblemDescription>& flow_problem_table();
std::vector<std::string> flow_problem_names();
// Null if there is none of that name.
const FlowProblemDescription* find_flow_problem(std::string_view name);

// Why a flow with these settings, all of them, cannot be posed on a grid; empty if it can.
std::string unsuitable_flow_grid(const FlowProblemDescription&, const Config& settings, const Grid&);
// Why the answer on this grid is doubtful, with a better grid; empty if its rows suit the geometry.
std::string grid_warning(const FlowProblemDescription&, const Grid&);
// "440x82": the least multiple of a unit that is as large as both sides, which need not be whole.
std::string grid_of_units(double nx, double ny, const std::array<int, 2>& unit);
// With its settings as `given`, or else their defaults. Throws std::invalid_argument with
// unsuitable_flow_grid(), or if it does not have such a setting.
FlowProblem make_flow_problem(const FlowProblemDescription&, const Grid&, const Config& given = {});
// Raises a flow's speeds to those of its start and its boundaries.
void note_speeds(FlowProblem&);
// rho U h / mu, with the largest speed that is expected and the longest side of a cell. Above 2 some
// coefficients of central convection are negative: its answer may go up and down from cell to cell.
double cell_peclet_number(const FlowProblem&);
constexpr double tunnel_width = 4;  // in heights
// The tunnel around a body that is drawn. Throws std::invalid_argument, with the body's file, if it is too
// small or flow_in_box() refuses it.
FlowProblem tunnel_around(const DrawnBody&, const Grid&, const Config& given = {});
// Bytes of host memory that a flow takes.
double flow_problem_bytes(const Grid&);

// What an outlet gives: its pressure, or its velocity.
Setting outlet_setting();
bool gives_pressure(const Config& settings);

// The Reynolds number as problems have it: rho U L / mu.
Setting reynolds_setting(double fallback);

// A side of a box, and the velocity there if it is given: in 3-D the same for all z, and along z 0.
struct FlowSide {
  FaceKind kind = FaceKind::fixed;
  std::function<double(double x, double y)> u = nullptr, v = nullptr;  // null: 0
};
struct FlowBox {
  double width = 1, height = 1, depth = 1, viscosity = 1;  // the depth is along z, in 3-D
  FlowSide west = {}, east = {}, south = {}, north = {}, bottom = {}, top = {};
  bool periodic_x = false, periodic_y = false, periodic_z = false;  // the sides there say nothing then
  bool outlet_gives_pressure = true;  // else only the eastern side is one, in 2-D: see Outflow
  std::function<bool(double x, double y)> is_body =
      nullptr;  // whether a point lies in a body; null: there is none
};
// A box of fluid of density 1, at rest but for its boundary. The mass that a side brings is its velocity in
// the middle of each face. A cell belongs to the body if its centre does. Throws std::invalid_argument if the
// body has no cell, leaves no fluid, cuts some of it off, or closes an inflow or an outlet.
FlowProblem flow_in_box(const Grid&, const FlowBox&);

// Why so many cells along a periodic axis, 'x', 'y' or 'z', cannot be swept; empty if they can.
std::string odd_around(char axis, int cells);
// How large a body is: along the flow, and across it.
struct BodySize {
  double length, diameter;
};
// Why a grid is too coarse for a body in a box, of fewer than four cells along or across; empty if it is not.
// The grid that it names is a multiple of the unit, with square cells where these are.
std::string too_coarse(const Grid&, double width, double height, const BodySize&,
                       const std::array<int, 2>& unit = {1, 1});

// The centre of cell (i, j).
struct Centre {
  double x, y;
  Centre(const FluidCell& c, int i, int j) : x((i + 0.5) * c.dx), y((j + 0.5) * c.dy) {}
};

// The results that the problem names, and "checkerboard": the amplitude of (-1)^(i + j + k) in the pressure
// of the fluid, which a mean of velocities does not feel.
std::vector<NamedValue> flow_results(const FlowProblem&, const FlowFields&);
// What others found for them.
std::vector<PublishedValue> published_values(const FlowProblem&, double time);

// "error_u_max", "error_u_l2" and the same of v against functions that are exact.
std::vector<NamedValue> velocity_errors(const FlowProblem&, const FlowFields&,
                                        const std::function<double(double, double)>& u,
                                        const std::function<double(double, double)>& v);

}  // namespace cfdmark
