#include "kernels/mesh/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh/random.hpp"

namespace cfdmark {
namespace {

constexpr double most_move = 0.15;  // of a box

// Returns `extra` different cells in ascending order, each set equally likely: cell c is chosen with the
// probability (number still to choose) / (number of cells from c on).
std::vector<int> chosen_cells(int cells, int extra, std::uint64_t seed) {
  std::vector<int> chosen;
  chosen.reserve(extra);
  SplitMix64 random(seed);
  for (int c = 0; int(chosen.size()) < extra; ++c)
    if (random.below(std::uint64_t(cells) - c) < std::uint64_t(extra) - chosen.size()) chosen.push_back(c);
  return chosen;
}

Point centroid(const std::vector<Point>& nodes, const int* cell, int corners) {
  Point sum{};
  for (int k = 0; k < corners; ++k)
    for (int d = 0; d < 3; ++d) sum[d] += nodes[cell[k]][d];
  for (double& x : sum) x /= corners;
  return sum;
}

}  // namespace

std::vector<Point> Lattice::moved_nodes(std::uint64_t seed) const {
  const auto [a, b, c] = boxes_;
  std::vector<Point> all(nodes());
#pragma omp parallel for schedule(static)
  for (int row = 0; row < (b + 1) * (c + 1); ++row)
    for (int i = 0; i <= a; ++i) {
      const std::array<int, 3> at{i, row % (b + 1), row / (b + 1)};
      const int n = node(at[0], at[1], at[2]);
      const bool inside = is_inside(0, at[0]) && is_inside(1, at[1]) && is_inside(2, at[2]);
      for (int d = 0; d < 3; ++d) {
        const bool moves = inside && boxes_[d] > 0;
        const double move =
            moves ? most_move * SplitMix64::signed_unit(SplitMix64::at(seed, 3ull * n + d)) : 0;
        all[n][d] = (at[d] + move) / per_unit_[d];
      }
    }
  return all;
}

void insert_centroids(Mesh& mesh, int extra, std::uint64_t seed) {
  const int corners = mesh.dims + 1;
  const std::vector<int> chosen = chosen_cells(mesh.cells(), extra, seed);
  std::vector<int> cells;
  cells.reserve(mesh.cell_nodes.size() + std::size_t(extra) * mesh.dims * corners);
  auto next = chosen.begin();
  for (int c = 0; c < mesh.cells(); ++c) {
    const int* cell = mesh.cell_nodes.data() + std::size_t(c) * corners;
    if (next == chosen.end() || *next != c) {
      cells.insert(cells.end(), cell, cell + corners);
      continue;
    }
    ++next;
    const int node = int(mesh.nodes.size());
    mesh.nodes.push_back(centroid(mesh.nodes, cell, corners));
    for (int replaced = 0; replaced < corners; ++replaced)
      for (int k = 0; k < corners; ++k) cells.push_back(k == replaced ? node : cell[k]);
  }
  mesh.cell_nodes = std::move(cells);
}

void assert_positive(const Mesh& mesh) {
  const int c = first_inverted(mesh);
  if (c < mesh.cells())
    throw std::logic_error(
        fmt::format("the generator made cell {} with volume {:g}: not positive", c, cell_volume(mesh, c)));
}

}  // namespace cfdmark
