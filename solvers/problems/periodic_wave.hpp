// Exact solutions of problems with periodic sides: exp(w(t)) with w(t) = sin(2 pi t) / 2. Also the common
// parts of channels, which are periodic along x, in 3-D also along z, between two walls with prescribed
// values.
#pragma once

#include <cmath>
#include <numbers>

#include "solvers/problems/problem.hpp"

namespace cfdmark {

inline constexpr double waves = 2 * std::numbers::pi;

inline double wave(double t) { return std::sin(waves * t) / 2; }
inline double slope(double t) { return waves * std::cos(waves * t) / 2; }
// w'^2 + w'', which equals e^-w (e^w)''.
inline double curvature(double t) { return slope(t) * slope(t) - waves * waves * wave(t); }

inline constexpr Boundaries channel_sides = {.west = BoundaryKind::periodic,
                                             .east = BoundaryKind::periodic,
                                             .south = BoundaryKind::dirichlet,
                                             .north = BoundaryKind::dirichlet,
                                             .bottom = BoundaryKind::periodic,
                                             .top = BoundaryKind::periodic};
// exp(w(x) + y + w(z)): factor 1 at one wall, e at the other.
inline double channel_answer(const Config&, const Grid& g, double x, double y, double z) {
  return std::exp(wave(x) + y + (g.is_3d() ? wave(z) : 0));
}

}  // namespace cfdmark
