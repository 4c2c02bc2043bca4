#include "bench/compare/student.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cfdmark {

namespace {

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

}  // namespace

// With x = sqrt(f) tan(a) the density of t becomes cos(a)^(f-1) / B(1/2, f/2) on (-pi/2, pi/2): smooth and
// bounded, so Simpson's rule does. It falls at least as fast as exp(-f a^2 / 2), so that nothing is lost by
// stopping 12 of these widths on. The tail is summed itself, not 1 minus the rest, so that small ones keep
// their digits.
double student_tail(double t, double f) {
  if (t < 0) return 1 - student_tail(-t, f);
  constexpr int steps = 400;
  const double from = std::atan(t / std::sqrt(f));
  const double width = std::min(std::numbers::pi / 2 - from, 12 / std::sqrt(f)) / steps;
  double sum = 0;
  for (int n = 0; n <= steps; ++n) {
    const double weight = n == 0 || n == steps ? 1 : n % 2 ? 4 : 2;
    sum += weight * std::pow(std::max(std::cos(from + n * width), 0.0), f - 1);
  }
  return sum * width / 3 / std::exp(log_beta(0.5, f / 2));
}

double student_quantile(double tail, double f) {
  double low = 0, high = 1;
  while (student_tail(high, f) > tail) high *= 2;
  for (int n = 0; n < 60; ++n) (student_tail((low + high) / 2, f) > tail ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

}  // namespace cfdmark
