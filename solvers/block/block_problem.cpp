#include "solvers/block/block_problem.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

int planes(const Grid& g) { return block_component_planes(g, block_problem_halo); }

// Reduces f over the components of all points, from 0 on, in a fixed order: within a row of points, then over
// the rows. Rows run in parallel.
template <class F, class Join>
double over_rows(const Grid& g, const F& f, const Join& join) {
  std::vector<double> of_rows(std::size_t(g.ny) * g.nz);
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < of_rows.size(); ++row)
    for (int i = 0; i < g.nx; ++i)
      for (int c = 0; c < block_rows; ++c)
        of_rows[row] = join(of_rows[row], f(i, int(row) % g.ny, int(row) / g.ny + c * planes(g)));
  return std::accumulate(of_rows.begin(), of_rows.end(), 0.0, join);
}

double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

}  // namespace

const BlockProblemDescription* find_block_problem(std::string_view name) {
  for (const BlockProblemDescription& problem : block_problem_table())
    if (problem.name == name) return &problem;
  return nullptr;
}

std::vector<std::string> block_problem_names() {
  std::vector<std::string> names;
  for (const BlockProblemDescription& problem : block_problem_table()) names.push_back(problem.name);
  return names;
}

const HostField& BlockProblem::stored_matrices(Precision p) const {
  return matrices.storage() == storage_of(p) ? matrices : stored(p).matrices;
}

const HostField& BlockProblem::right_hand_side(Precision p) const { return stored(p).b; }

const BlockProblem::Stored& BlockProblem::stored(Precision p) const {
  const auto [entry, is_new] = stored_.try_emplace(p);
  Stored& known = entry->second;
  if (!is_new) return known;
  if (matrices.storage() != storage_of(p)) known.matrices = converted(matrices, storage_of(p));
  const HostField zero(exact.grid(), Precision::fp64);
  HostField minus_b = block_residual(*description, grid, stored_matrices(p), zero, exact);
  for_each_cell_in_parallel(minus_b.grid(), false,
                            [&](int i, int j, int k) { minus_b.set(i, j, k, -minus_b.get(i, j, k)); });
  known.b = converted(minus_b, arithmetic_of(p));
  return known;
}

std::string unsuitable_block_grid(const Grid& g) {
  return g.is_3d() ? "" : "block problems need a 3-D grid, such as 24x10x16";
}

double block_problem_bytes(const Grid& g) {
  return 8.0 * double(Layout(block_matrices_grid(g, BlockLayout::aos25)).elements +
                      Layout(block_vector_grid(g, block_problem_halo)).elements);
}

HostField block_residual(const BlockProblemDescription& problem, const Grid& g, const HostField& matrices,
                         const HostField& b, const HostField& x) {
  HostField residual(x.grid(), Precision::fp64);
  const bool first_order = problem.residual == BlockSweep::residual;
  for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
    const auto value = [&](const HostField& f, int c, int di, int dj, int dk) {
      return f.get(i + di, j + dj, k + dk + c * planes(g));
    };
    for (int r = 0; r < block_rows; ++r) {
      double sum = value(b, r, 0, 0, 0) - (first_order ? value(x, r, 0, 0, 0) : 0);
      for (int m = 0; m < block_directions; ++m) {
        const int by = m % 2 ? 1 : -1, di = m / 2 == 0 ? by : 0, dj = m / 2 == 1 ? by : 0,
                  dk = m / 2 == 2 ? by : 0;
        for (int c = 0; c < block_rows; ++c) {
          const double near = value(x, c, di, dj, dk);
          const double seen =
              first_order ? near
                          : 2 * near - 1.5 * value(x, c, 0, 0, 0) - 0.5 * value(x, c, 2 * di, 2 * dj, 2 * dk);
          sum -= matrices.get(block_entries * i + m * block_values + r * block_rows + c, j, k) * seen;
        }
      }
      residual.set(i, j, k + r * planes(g), sum);
    }
  });
  return residual;
}

double block_norm(const Grid& g, const HostField& x) {
  const auto norm = [&](double scale) {
    const auto square = [&](int i, int j, int k) {
      return (x.get(i, j, k) / scale) * (x.get(i, j, k) / scale);
    };
    return scale * std::sqrt(over_rows(g, square, std::plus<>()));
  };
  const double plain = norm(1), tiny = std::sqrt(std::numeric_limits<double>::min());
  if (plain > tiny && std::isfinite(plain)) return plain;
  // Squares underflow or overflow: scales by the largest value.
  const double largest = over_rows(
      g, [&](int i, int j, int k) { return std::abs(x.get(i, j, k)); }, larger);
  return largest > 0 && std::isfinite(largest) ? norm(largest) : largest;
}

double largest_block_difference(const Grid& g, const HostField& x, const HostField& y) {
  return over_rows(
      g, [&](int i, int j, int k) { return std::abs(x.get(i, j, k) - y.get(i, j, k)); }, larger);
}

}  // namespace cfdmark
