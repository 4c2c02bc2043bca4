#include "bench/kernel_workload.hpp"

namespace cfdmark {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

std::string first_difference(const HostField& found, const HostField& expected, double& max_error, double tolerance) {
  std::string first;
  max_error = 0;
  for_each_cell(found.grid(), true, [&](int i, int j, int k) {
    const double a = found.get(i, j, k), b = expected.get(i, j, k);
    if (same_bits(a, b)) return;
    const double error = std::abs(a - b);
    if (!(error <= max_error)) max_error = error;
    if (tolerance > 0 && error <= tolerance * std::abs(b)) return;  // false for NaN
    if (first.empty()) first = fmt::format("cell ({}, {}, {}) is {} where {} was expected", i, j, k, a, b);
  });
  return first;
}

}  // namespace cfdmark
