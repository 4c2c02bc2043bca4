// A boundary layer at k = 0 on a stretched grid, with fluxes split by the signs of their speeds (Steger and
// Warming). In the variables dp / (rho c), du, dv, dw, drho - dp / c^2 the flux Jacobian of direction d is
// symmetric: it has u_d on its diagonal and c between the first variable and the velocity of direction d.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "solvers/block/block_problem.hpp"

namespace cfdmark {
namespace {

constexpr double gamma = 1.4, viscosity = 1e-3, wall_spacing = 0.02;

using Matrix = std::array<std::array<double, 5>, 5>;

Matrix identity(double factor = 1) {
  Matrix m{};
  for (int n = 0; n < 5; ++n) m[n][n] = factor;
  return m;
}
// a + factor b
Matrix sum(const Matrix& a, double factor, const Matrix& b) {
  Matrix m = a;
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) m[r][c] += factor * b[r][c];
  return m;
}
Matrix product(const Matrix& a, const Matrix& b) {
  Matrix m{};
  for (int r = 0; r < 5; ++r)
    for (int n = 0; n < 5; ++n)
      for (int c = 0; c < 5; ++c) m[r][c] += a[r][n] * b[n][c];
  return m;
}
// Gauss-Jordan elimination with partial pivoting.
Matrix inverse(Matrix a) {
  Matrix m = identity();
  for (int n = 0; n < 5; ++n) {
    int pivot = n;
    for (int r = n + 1; r < 5; ++r)
      if (std::abs(a[r][n]) > std::abs(a[pivot][n])) pivot = r;
    std::swap(a[n], a[pivot]), std::swap(m[n], m[pivot]);
    const double scale = 1 / a[n][n];
    for (int c = 0; c < 5; ++c) a[n][c] *= scale, m[n][c] *= scale;
    for (int r = 0; r < 5; ++r) {
      const double factor = r == n ? 0 : a[r][n];
      for (int c = 0; c < 5; ++c) a[r][c] -= factor * a[n][c], m[r][c] -= factor * m[n][c];
    }
  }
  return m;
}

struct State {
  double rho, c;
  std::array<double, 3> u;

  // Returns the part of the Jacobian of direction d that has speeds of this sign.
  Matrix split(int d, int sign) const {
    const auto part = [&](double speed) { return sign * speed > 0 ? speed : 0; };
    Matrix m = identity(part(u[d]));
    const double fast = part(u[d] + c), slow = part(u[d] - c);
    m[0][0] = m[1 + d][1 + d] = (fast + slow) / 2;
    m[0][1 + d] = m[1 + d][0] = (fast - slow) / 2;
    return m;
  }
  // Columns are the changes of the conserved variables.
  Matrix to_conserved() const {
    const double q2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    const std::array<double, 5> wave{1, u[0], u[1], u[2], c * c / (gamma - 1) + q2 / 2},
        entropy{1, u[0], u[1], u[2], q2 / 2};
    Matrix m{};
    for (int r = 0; r < 5; ++r) m[r][0] = rho / c * wave[r], m[r][4] = entropy[r];
    for (int a = 0; a < 3; ++a) m[1 + a][1 + a] = rho, m[4][1 + a] = rho * u[a];
    return m;
  }
};

// Returns a standard normal value that depends only on the place and the salt.
double normal(int i, int j, int k, unsigned salt) {
  const double one = noise(i, j, k, 2 * salt) - 0.5, two = noise(i, j, k, 2 * salt + 1) - 0.5;
  return std::sqrt(-2 * std::log(1 - one)) * std::cos(2 * std::numbers::pi * two);
}

struct Flow {
  Grid g;
  double mach, cfl;
  bool duct;
  unsigned seed;

  Flow(const Grid& grid, const Config& settings)
      : g(grid),
        mach(settings.real("mach")),
        cfl(settings.real("cfl")),
        duct(settings.is("walls", "duct")),
        seed(8u * unsigned(settings.integer("random_seed"))) {}

  State state(int i, int j, int k) const {
    const auto g_ = [&](unsigned n) { return normal(i, j, k, seed + n); };
    const double eta = (k + 0.5) / g.nz;
    return {1 + 0.05 * g_(0), 1 + 0.05 * g_(1), {mach * std::tanh(4 * eta) + 0.01 * g_(2), 0.05, 0.02}};
  }
  std::array<double, 3> spacings(int j, int k) const {
    const auto stretched = [](int n, int count) {
      return wall_spacing * std::pow(1 / wall_spacing, count > 1 ? double(n) / (count - 1) : 1.0);
    };
    return {1, duct ? stretched(j, g.ny) : 1, stretched(k, g.nz)};
  }

  // Returns the matrices of the neighbours at - and + in each direction, multiplied by the inverse of the
  // diagonal.
  std::array<Matrix, 6> matrices(int i, int j, int k) const {
    const State s = state(i, j, k);
    const auto h = spacings(j, k);
    double rate = 0;
    for (int d = 0; d < 3; ++d) rate += (std::abs(s.u[d]) + s.c) / h[d];
    Matrix diagonal = identity(rate / cfl);
    for (int d = 0; d < 3; ++d) {
      diagonal = sum(sum(diagonal, 1 / h[d], s.split(d, 1)), -1 / h[d], s.split(d, -1));
      diagonal = sum(diagonal, 2 * viscosity / (h[d] * h[d]), identity());
    }
    const Matrix conserved = s.to_conserved(), back = inverse(conserved),
                 left = product(conserved, inverse(diagonal));
    std::array<Matrix, 6> all;
    for (int m = 0; m < 6; ++m) {
      const int d = m / 2, sign = m % 2 ? -1 : 1;
      const Matrix flux = sum(identity(-viscosity / (h[d] * h[d])), -sign / h[d], s.split(d, sign));
      all[m] = product(product(left, flux), back);
    }
    return all;
  }
};

const std::vector<Setting> settings = {
    choice_setting("walls", {"plate", "duct"}, "plate",
                   "walls with thin layers: plate along k, duct along j and k"),
    real_setting("cfl", 20, real_above(0), "CFL number of the implicit step"),
    real_setting("mach", 0.5, real_above(0), "Mach number far from the wall"),
    {"random_seed", {}, 1, "seed of the random part of the flow"}};

}  // namespace

const std::vector<BlockProblemDescription>& block_problem_table() {
  static const std::vector<BlockProblemDescription> table = {
      {"flux_split", "the linear system of one implicit step, 5x5 blocks", settings, BlockSweep::residual},
      {"implicit_steps", "implicit steps, 5x5 blocks, until a second-order residual vanishes", settings,
       BlockSweep::second_order_residual}};
  return table;
}

BlockProblem make_block_problem(const BlockProblemDescription& description, const Grid& g,
                                const Config& settings) {
  const Flow flow(g, settings);
  BlockProblem problem;
  problem.description = &description;
  problem.grid = g;
  problem.matrices = HostField(block_matrices_grid(g, BlockLayout::aos25), Precision::fp64);
  problem.exact = HostField(block_vector_grid(g, block_problem_halo), Precision::fp64);
  for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
    const auto all = flow.matrices(i, j, k);
    for (int e = 0; e < block_entries; ++e)
      problem.matrices.set(block_entries * i + e, j, k, all[e / 25][e % 25 / 5][e % 5]);
    for (int c = 0; c < block_rows; ++c)
      problem.exact.set(i, j, k + c * block_component_planes(g, block_problem_halo),
                        1 + 0.1 * normal(i, j, k, flow.seed + 3 + unsigned(c)));
  });
  return problem;
}

}  // namespace cfdmark
