// The linear problems that solvers are run on, all in 64 bits on the host. Each has a file of its own that
// describes it; problem_table() lists them.
//
// Unknowns are the points x = (i + 1) h, h = 1 / (n + 1), of the unit square or cube, or of a problem that
// says so the centres of cells, x = (i + 1/2) h, h = 1 / n; along an axis between periodic sides they are
// the latter. The ghost layer carries the boundary's values, and between periodic sides what lies across the
// domain. Equations are scaled by hx^2, so that the constant stencil has wx = 1.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backends/field.hpp"
#include "kernels/core/config.hpp"
#include "solvers/core/outcome.hpp"

namespace cfdmark {

enum class BoundaryKind { dirichlet, neumann, periodic, symmetric };
std::string_view to_string(BoundaryKind);

// Of each side; bottom and top count only in 3-D.
struct Boundaries {
  BoundaryKind west, east, south, north, bottom, top;
  static constexpr Boundaries all(BoundaryKind kind) { return {kind, kind, kind, kind, kind, kind}; }
};

using Axes = std::array<bool, 3>;  // what holds along x, y and z

struct Spacing {
  double x, y, z;
  // cells: along which axes the unknowns are the centres of cells.
  explicit Spacing(const Grid& g, const Axes& cells = {})
      : x(1.0 / (g.nx + !cells[0])), y(1.0 / (g.ny + !cells[1])), z(1.0 / (g.nz + !cells[2])) {}
};

// A value at the point x, y, z; z is 0 in 2-D. The config has the problem's settings.
using PointFunction = double (*)(const Config&, const Grid&, double x, double y, double z);

struct ProblemDescription {
  std::string name, help;              // help: one line
  std::vector<Setting> settings = {};  // what may be set of it
  bool in_2d = true, in_3d = true;
  bool at_cell_centres = false;  // the unknowns are
  Boundaries boundaries = Boundaries::all(BoundaryKind::dirichlet);
  bool symmetric = true;           // its operator is
  PointFunction exact;             // the solution of the differential equation
  PointFunction source = nullptr;  // the equation's right-hand side; null: 0
  // The operator's arrays where it differs from cell to cell: west, east, south, north, [bottom, top,]
  // centre, each scaled; between periodic sides it must be symmetric. Null: it is minus the Laplacian; at the
  // centres of cells in arrays, which know its sides, unless it is periodic.
  std::vector<HostField> (*coefficients)(const Config&, const Grid&) = nullptr;
  // What of the answer has a name and a known value, beside its error. Null: nothing.
  std::vector<NamedValue> (*results)(const HostField& u) = nullptr;
};

ProblemDescription heated_plate_problem();
ProblemDescription heated_plate_cells_problem();
ProblemDescription manufactured_problem();
ProblemDescription jump_problem();
ProblemDescription convection_problem();
ProblemDescription insulated_problem();
ProblemDescription periodic_box_problem();
ProblemDescription periodic_channel_problem();
ProblemDescription graded_channel_problem();

const std::vector<ProblemDescription>& problem_table();
std::vector<std::string> problem_names();
// Throws std::invalid_argument naming the valid words.
const ProblemDescription& find_problem(std::string_view name);

// In the units of the equations: wx = 1.
Operator minus_laplacian(const Grid&, const Axes& cells);
// Along which axes both sides are.
Axes periodic_axes(const ProblemDescription&);
// Along which axes its unknowns are the centres of cells.
Axes axes_of_cells(const ProblemDescription&);
// Whether its operator has an array for each coefficient.
bool has_arrays(const ProblemDescription&);
// Whether nothing passes any side, but what comes in across from it: its operator must be symmetric then. An
// answer is known but for a constant, and there is none unless the mean of the right-hand side is 0.
bool leaves_constant_open(const ProblemDescription&);

struct LinearProblem {
  const ProblemDescription* description;  // of problem_table(), or what outlives this
  Grid grid;
  Operator constant;                    // the operator, if there are no arrays
  std::vector<HostField> coefficients;  // as ProblemDescription says; or none
  HostField b;
  HostField initial;  // 0 inside, boundary values in the ghost layer
  HostField exact;    // solution of the differential equation at the points
  // Of a problem that leaves a constant open: the mean that its source had, which was taken out of b as it
  // was of `exact`, and the root of the mean square of what was left.
  double source_mean = 0, source_rms = 0;
};

// Why the problem cannot be posed on a grid; empty if it can.
std::string unsuitable_reason(const ProblemDescription&, const Grid&);
// The problem with its settings as `given`, or else their defaults. Throws std::invalid_argument with
// unsuitable_reason(), or if it does not have such a setting.
LinearProblem make_problem(const ProblemDescription&, const Grid&, const Config& given = {});
inline LinearProblem make_problem(std::string_view name, const Grid& grid, const Config& given = {}) {
  return make_problem(find_problem(name), grid, given);
}
// Bytes of host memory that a problem takes.
double problem_bytes(const ProblemDescription&, const Grid&);

// u of the heated plate at a point of the unit square. The Fourier series 4/(n pi) sin(n pi x) sinh(n pi y) /
// sinh(n pi), n odd, converges slowly near the hot side; summed over n first it is a sum of arc tangents
// whose terms fall by exp(-2 pi).
double heated_plate_solution(double x, double y);

// Values of `from`, rounded to `storage`.
HostField converted(const HostField& from, Precision storage);

// ||b - A u||_2 over the interior, in 64 bits on the host, and ||u||_2.
double residual_norm(const LinearProblem&, const HostField& u);
double norm(const HostField&);

struct SolutionError {
  double max = 0, l2 = 0;  // l2: root of the mean square
};
// Against the exact solution of the differential equation. u may be stored in 32 or 64 bits. Where the
// problem leaves a constant open, that of u does not count.
SolutionError solution_error(const LinearProblem&, const HostField& u);
// The error, the mean that its source had where that was taken out, and the results that the problem names.
std::vector<NamedValue> results(const LinearProblem&, const HostField& u);

}  // namespace cfdmark
