#include "kernels/mesh/delaunay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/mesh/connect.hpp"

namespace cfdmark {
namespace {

// Returns true if d lies inside the circle through a, b, c, which are anticlockwise, by more than rounding.
bool is_in_circle(const Point& a, const Point& b, const Point& c, const Point& d) {
  double x[3], y[3], square[3];
  const Point* corners[3] = {&a, &b, &c};
  for (int i = 0; i < 3; ++i) {
    x[i] = (*corners[i])[0] - d[0];
    y[i] = (*corners[i])[1] - d[1];
    square[i] = x[i] * x[i] + y[i] * y[i];
  }
  double determinant = 0, magnitude = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    determinant += square[i] * (x[j] * y[k] - x[k] * y[j]);
    magnitude += square[i] * (std::abs(x[j] * y[k]) + std::abs(x[k] * y[j]));
  }
  return determinant > 1e-12 * magnitude;
}

class Flips {
 public:
  explicit Flips(Mesh& mesh) : mesh_(mesh), neighbours_(cell_neighbours(mesh)), waiting_(mesh.cells(), true) {
    for (int c = mesh.cells(); c-- > 0;) stack_.push_back(c);
  }

  void run() {
    const long long most = 100LL * mesh_.cells();
    for (long long flips = 0; !stack_.empty();) {
      const int cell = stack_.back();
      stack_.pop_back();
      waiting_[cell] = false;
      const int side = side_to_flip(cell);
      if (side < 0) continue;
      if (++flips > most) throw std::runtime_error(fmt::format("no Delaunay mesh after {} flips", most));
      flip(cell, side);
    }
  }

 private:
  int* nodes(int cell) { return mesh_.cell_nodes.data() + 3 * std::size_t(cell); }
  int* neighbours(int cell) { return neighbours_.data() + 3 * std::size_t(cell); }
  const Point& at(int node) const { return mesh_.nodes[node]; }
  // Returns the side of a cell that it shares with `other`.
  int side_towards(int cell, int other) {
    const int* n = neighbours(cell);
    return int(std::find(n, n + 3, other) - n);
  }

  int side_to_flip(int cell) {
    const int* n = nodes(cell);
    for (int side = 0; side < 3; ++side) {
      const int other = neighbours(cell)[side];
      if (other < 0) continue;
      const int opposite = nodes(other)[side_towards(other, cell)];
      if (is_in_circle(at(n[0]), at(n[1]), at(n[2]), at(opposite))) return side;
    }
    return -1;
  }

  // Exchanges the diagonal q r of the triangles p q r and s r q for p s.
  void flip(int cell, int side) {
    const int other = neighbours(cell)[side], back = side_towards(other, cell);
    const int p = nodes(cell)[side], q = nodes(cell)[(side + 1) % 3], r = nodes(cell)[(side + 2) % 3];
    const int s = nodes(other)[back];
    const int beyond_rp = neighbours(cell)[(side + 1) % 3], beyond_pq = neighbours(cell)[(side + 2) % 3];
    const int beyond_qs = neighbours(other)[(back + 1) % 3], beyond_sr = neighbours(other)[(back + 2) % 3];
    set(cell, {p, q, s}, {beyond_qs, other, beyond_pq});
    set(other, {p, s, r}, {beyond_sr, beyond_rp, cell});
    if (beyond_qs >= 0) neighbours(beyond_qs)[side_towards(beyond_qs, other)] = cell;
    if (beyond_rp >= 0) neighbours(beyond_rp)[side_towards(beyond_rp, cell)] = other;
    wait(other);
    wait(cell);
  }
  void set(int cell, const std::array<int, 3>& corners, const std::array<int, 3>& beyond) {
    std::copy(corners.begin(), corners.end(), nodes(cell));
    std::copy(beyond.begin(), beyond.end(), neighbours(cell));
  }
  void wait(int cell) {
    if (waiting_[cell]) return;
    waiting_[cell] = true;
    stack_.push_back(cell);
  }

  Mesh& mesh_;
  std::vector<int> neighbours_;
  std::vector<bool> waiting_;
  std::vector<int> stack_;
};

}  // namespace

void flip_to_delaunay(Mesh& mesh) {
  if (mesh.dims != 2) throw std::invalid_argument("only triangles have edges to flip: this mesh is 3-D");
  Flips(mesh).run();
}

}  // namespace cfdmark
