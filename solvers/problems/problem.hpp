// Problems of the linear solvers, in double precision on the host. One file describes each; problem_table()
// lists them.
//
// Unknowns are the points x = (i + 1) h, h = 1 / (n + 1), of the unit square or cube. With at_cell_centres,
// and along periodic axes, they are cell centres: x = (i + 1/2) h, h = 1 / n. Ghosts hold boundary values or
// periodic images. Equations are scaled by hx^2, so that the constant stencil has wx = 1.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/config.hpp"
#include "kernels/device/field.hpp"
#include "solvers/base/outcome.hpp"
#include "solvers/base/problem.hpp"

namespace cfdmark {

enum class BoundaryKind { dirichlet, neumann, periodic, symmetric };
std::string_view to_string(BoundaryKind);

// Boundary kind of each side; bottom and top are used only in 3-D.
struct Boundaries {
  BoundaryKind west, east, south, north, bottom, top;
  static constexpr Boundaries all(BoundaryKind kind) { return {kind, kind, kind, kind, kind, kind}; }
};

using Axes = std::array<bool, 3>;  // a property along x, y and z

struct Spacing {
  double x, y, z;
  // cells: axes along which the unknowns are cell centres.
  explicit Spacing(const Grid& g, const Axes& cells = {})
      : x(1.0 / (g.nx + !cells[0])), y(1.0 / (g.ny + !cells[1])), z(1.0 / (g.nz + !cells[2])) {}
};

// A value at the point (x, y, z), with z = 0 in 2-D. The config holds the problem's settings.
using PointFunction = double (*)(const Config&, const Grid&, double x, double y, double z);

struct ProblemDescription {
  std::string name, help;              // help: one line
  std::vector<Setting> settings = {};  // of the problem
  bool in_2d = true, in_3d = true;
  bool at_cell_centres = false;  // location of the unknowns
  Boundaries boundaries = Boundaries::all(BoundaryKind::dirichlet);
  bool symmetric = true;           // property of its operator
  PointFunction exact;             // solution of the differential equation
  PointFunction source = nullptr;  // right-hand side of the differential equation; null: 0
  // Returns the operator's arrays if it varies in space: west, east, south, north, [bottom, top,] centre,
  // scaled by hx^2. With periodic sides it must be symmetric. Null: minus the Laplacian, which at cell
  // centres is stored in arrays that include the boundary conditions, unless all sides are periodic.
  std::vector<HostField> (*coefficients)(const Config&, const Grid&) = nullptr;
  // Returns named values of the solution with known exact values, besides its error. Null: none.
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
// Throws std::invalid_argument with the valid names.
const ProblemDescription& find_problem(std::string_view name);

// Returns minus the Laplacian, scaled so that wx = 1.
Operator minus_laplacian(const Grid&, const Axes& cells);
// Returns the axes along which both sides are periodic.
Axes periodic_axes(const ProblemDescription&);
// Returns the axes along which the unknowns are cell centres.
Axes axes_of_cells(const ProblemDescription&);
// Returns true if its operator has an array for each coefficient.
bool has_arrays(const ProblemDescription&);
// Returns true if every side is Neumann or periodic, so that the system is singular; its operator must then
// be symmetric. The solution is unique up to a constant and exists only for a right-hand side of mean 0.
bool is_singular(const ProblemDescription&);

struct LinearProblem : Problem {
  const ProblemDescription* description = nullptr;  // in problem_table(), or outlives this
  Grid grid;
  Operator constant;                    // the operator, if there are no arrays
  std::vector<HostField> coefficients;  // as in ProblemDescription; may be empty
  HostField b;
  HostField initial;  // 0 in the interior, boundary values in the ghosts
  HostField exact;    // solution of the differential equation at the points
  // For a singular problem: the mean of the source, which was subtracted from b, and the RMS of the remaining
  // source. The mean of `exact` was subtracted too.
  double source_mean = 0, source_rms = 0;
};

// Returns why the problem does not suit a grid; empty if it does.
std::string unsuitable_reason(const ProblemDescription&, const Grid&);
// Returns the problem with these settings, which are complete. Throws std::invalid_argument with
// unsuitable_reason(), or for an unknown or invalid setting.
LinearProblem make_problem(const ProblemDescription&, const Grid&, const Config& settings);
// Returns the problem with its default settings.
inline LinearProblem make_problem(const ProblemDescription& problem, const Grid& grid) {
  return make_problem(problem, grid, TuningSpace{problem.settings}.defaults());
}
// Returns the problem with the settings of `given` and the defaults of the others.
inline LinearProblem make_problem(std::string_view name, const Grid& grid, const Config& given = {}) {
  const ProblemDescription& problem = find_problem(name);
  return make_problem(problem, grid, TuningSpace{problem.settings}.complete(given));
}
// Returns the host memory of a problem in bytes.
double problem_bytes(const ProblemDescription&, const Grid&);

// Returns u of the heated plate at a point of the unit square. Its Fourier series 4/(n pi) sin(n pi x) sinh(n
// pi y) / sinh(n pi), n odd, converges slowly near the hot side. Summing over n first gives a series of arc
// tangents whose terms decrease by exp(-2 pi).
double heated_plate_solution(double x, double y);

// Returns the values of `from` rounded to `storage`.
HostField converted(const HostField& from, Precision storage);

// Return ||b - A u||_2 over the interior, and ||u||_2, in double precision on the host.
double residual_norm(const LinearProblem&, const HostField& u);
double norm(const HostField&);

struct SolutionError {
  double max = 0, l2 = 0;  // l2: root mean square
};
// Returns the difference from the exact solution of the differential equation. u may be stored in 32 or 64
// bits. For a singular problem the mean of u is subtracted.
SolutionError solution_error(const LinearProblem&, const HostField& u);
// Returns the error, the source's mean of a singular problem, and the results that the problem names.
std::vector<NamedValue> results(const LinearProblem&, const HostField& u);

}  // namespace cfdmark
