#include "bench/catalog/kernel_workload.hpp"

namespace cfdmark {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Whether every cell, ghosts too, has the same bits. Rows are compared whole and on all cores: of a large
// case this is all the time that checking takes.
bool identical(const HostField& a, const HostField& b) {
  const Grid& g = a.grid();
  const std::size_t value = stored_bytes(a.storage()), row = std::size_t(g.nx + 2 * g.halo) * value;
  const auto start = [&](const HostField& f, int j, int k) {
    const Index first_ghost = g.lead() - g.halo + j * g.pitch() + k * g.plane();
    return static_cast<const char*>(f.data()) + first_ghost * Index(value);
  };
  bool same = true;
#pragma omp parallel for collapse(2) schedule(static) reduction(&& : same) if (g.cells() > 10000)
  for (int k = -g.halo_z(); k < g.nz + g.halo_z(); ++k)
    for (int j = -g.halo; j < g.ny + g.halo; ++j)
      same = same && std::memcmp(start(a, j, k), start(b, j, k), row) == 0;
  return same;
}

}  // namespace

std::string first_difference(const HostField& found, const HostField& expected, double& max_error,
                             double tolerance) {
  max_error = 0;
  if (identical(found, expected)) return "";
  std::string first;
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
