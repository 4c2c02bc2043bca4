// What the answers of problems with periodic sides are made of: exp(w(t)) with w(t) = sin(2 pi t) / 2.
#pragma once

#include <cmath>
#include <numbers>

namespace cfdmark {

inline constexpr double waves = 2 * std::numbers::pi;

inline double wave(double t) { return std::sin(waves * t) / 2; }
inline double slope(double t) { return waves * std::cos(waves * t) / 2; }
// w'^2 + w'', which is e^-w (e^w)''
inline double curvature(double t) { return slope(t) * slope(t) - waves * waves * wave(t); }

}  // namespace cfdmark
