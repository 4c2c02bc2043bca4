// What the answers of problems with periodic sides are made of: exp(w(t)) with w(t) = sin(2 pi t) / 2. And
// what channels share, which go on along x, and in 3-D along z, between two walls that hold values.
#pragma once

#include <cmath>
#include <numbers>

#include "solvers/problems/problem.hpp"

namespace cfdmark {

inline constexpr double waves = 2 * std::numbers::pi;

inline double wave(double t) { return std::sin(waves * t) / 2; }
inline double slope(double t) { return waves * std::cos(waves * t) / 2; }
// w'^2 + w'', which is e^-w (e^w)''
inline double curvature(double t) { return slope(t) * slope(t) - waves * waves * wave(t); }

inline constexpr Boundaries channel_sides = {.west = BoundaryKind::periodic,
                                             .east = BoundaryKind::periodic,
                                             .south = BoundaryKind::dirichlet,
                                             .north = BoundaryKind::dirichlet,
                                             .bottom = BoundaryKind::periodic,
                                             .top = BoundaryKind::periodic};
// exp(w(x) + y + w(z)): e^w at one wall, e^(1 + w) at the other.
inline double channel_answer(const Config&, const Grid& g, double x, double y, double z) {
  return std::exp(wave(x) + y + (g.is_3d() ? wave(z) : 0));
}

}  // namespace cfdmark
