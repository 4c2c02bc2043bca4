// What lies around a linear system, as far as its coefficients do not say it.
#pragma once

#include <array>
#include <optional>

#include "solvers/problems/problem.hpp"

namespace cfdmark {

// What lies at both ends of an axis, and so which waves fit; for n values i with wave l = 0 .. n - 1:
enum class Ends {
  zero,      // zeros beyond the first and the last point: sin(pi (i + 1) (l + 1) / (n + 1))
  closed,    // nothing passes the outer faces of the cells: cos(pi (i + 1/2) l / n)
  periodic,  // the first follows the last: sines and cosines of 2 pi i l / n
};
using AxisEnds = std::array<Ends, 3>;  // along x, y, z; the last says nothing in 2-D
constexpr AxisEnds zero_ends{Ends::zero, Ends::zero, Ends::zero};

struct Sides {
  // Set: the operator is one of constant weights between such ends, though it may have arrays.
  std::optional<AxisEnds> uniform_between = {};
  // Nothing holds a value anywhere, and the operator is symmetric: with an answer goes any other that differs
  // from it by a constant, and there is one for right-hand sides of mean 0 alone (open_constant.hpp).
  bool leave_constant_open = false;
  // Along which axes the last unknown is the first one's neighbour: what reads neighbours has their ghosts
  // filled before.
  Axes periodic = {};
  Axes of_cells = {};  // along which the unknowns are centres of cells

  bool are_periodic() const { return periodic != Axes{}; }
};

Sides sides_of(const ProblemDescription&);

}  // namespace cfdmark
