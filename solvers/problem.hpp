// The linear problems that solvers are run on, all in 64 bits on the host.
//
// Unknowns are the points x = (i + 1) h, h = 1 / (n + 1), of the unit square or cube; the ghost layer carries
// the Dirichlet values. Equations are scaled by hx^2, so that the constant stencil has wx = 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/backends/field.hpp"
#include "kernels/core/config.hpp"

namespace cfdmark {

enum class ProblemKind {
  heated_plate,  // Laplace in the unit square, 1 on the top side, 0 on the others (2-D only)
  manufactured,  // -laplace u = f with u = exp(x y) or exp(x y z)
  jump           // -div k grad u = 1, k = 1 for x < 1/2 and `conductivity` beyond; u depends on x alone
};

inline constexpr ProblemKind all_problems[] = {ProblemKind::heated_plate, ProblemKind::manufactured,
                                               ProblemKind::jump};

std::string_view to_string(ProblemKind);
// Throws std::invalid_argument naming the valid words.
ProblemKind problem_from(std::string_view word);

// Whether its operator differs from cell to cell: LinearProblem::coefficients is then not empty.
inline bool has_coefficient_arrays(ProblemKind kind) { return kind == ProblemKind::jump; }

// What may be set of a problem.
std::vector<Setting> problem_settings(ProblemKind);

struct LinearProblem {
  ProblemKind kind = ProblemKind::heated_plate;
  Grid grid;
  Operator constant;                    // the operator, if there are no arrays
  std::vector<HostField> coefficients;  // west, east, south, north, [bottom, top,] centre; or none
  HostField b;
  HostField initial;  // 0 inside, boundary values in the ghost layer
  HostField exact;    // solution of the differential equation at the points
};

// Why the problem cannot be posed on a grid; empty if it can.
std::string unsuitable_reason(ProblemKind, const Grid&);
// The problem with its settings as `given`, or else their defaults. Throws std::invalid_argument with
// unsuitable_reason().
LinearProblem make_problem(ProblemKind, const Grid&, const Config& given = {});

// u of the heated plate at a point of the unit square. The Fourier series 4/(n pi) sin(n pi x) sinh(n pi y) /
// sinh(n pi), n odd, converges slowly near the hot side; summed over n first it is a sum of arc tangents
// whose terms fall by exp(-2 pi).
double heated_plate_solution(double x, double y);

// The factor that makes SOR converge fastest on the model problem: 2 / (1 + sin(pi h)), Normore 2010,
// equation 43. h is the mesh width of the coarsest direction.
double optimal_omega(const Grid&);

// ||b - A u||_2 over the interior, in 64 bits on the host, and ||u||_2.
double residual_norm(const LinearProblem&, const HostField& u);
double norm(const HostField&);

struct SolutionError {
  double max = 0, l2 = 0;  // l2: root of the mean square
};
// Against the exact solution of the differential equation. u may be stored in 32 or 64 bits.
SolutionError solution_error(const LinearProblem&, const HostField& u);

}  // namespace cfdmark
