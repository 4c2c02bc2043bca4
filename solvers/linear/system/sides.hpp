// Boundary conditions of a linear system that its coefficients do not show.
#pragma once

#include <array>
#include <optional>

#include "solvers/problems/problem.hpp"

namespace cfdmark {

// Condition at both ends of an axis. For n values i, wave l = 0 .. n - 1 is:
enum class Ends {
  zero,      // zero beyond the first and the last point: sin(pi (i + 1) (l + 1) / (n + 1))
  closed,    // no flux through the outer faces of the cells: cos(pi (i + 1/2) l / n)
  periodic,  // the last point is next to the first: sine and cosine of 2 pi i l / n
};
using AxisEnds = std::array<Ends, 3>;  // along x, y, z; z is unused in 2-D
constexpr AxisEnds zero_ends{Ends::zero, Ends::zero, Ends::zero};

struct Sides {
  // Set if the operator has constant weights between such ends, even if it is stored in arrays.
  std::optional<AxisEnds> uniform_between = {};
  // True if the system is singular: no side prescribes a value and the operator is symmetric. Solutions then
  // differ by constants and exist only for right-hand sides of mean 0 (null_space.hpp).
  bool is_singular = false;
  // Axes along which the last unknown is next to the first. Kernels that read neighbours need filled ghosts
  // there.
  Axes periodic = {};
  Axes of_cells = {};  // axes along which the unknowns are cell centres

  bool are_periodic() const { return periodic != Axes{}; }
  bool operator==(const Sides&) const = default;
};

// Returns the sides of a problem's system.
Sides sides_of(const ProblemDescription&);

}  // namespace cfdmark
