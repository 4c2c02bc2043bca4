#include "solvers/problems/body_distances.hpp"

#include <cmath>

#include "kernels/core/wall_distances.hpp"

namespace cfdmark {

HostField distances_to_body(const Grid& g, const FlowBox& box, const HostField& faces) {
  const double dx = box.width / g.nx, dy = box.height / g.ny;
  const auto wrapped = [](bool is_periodic, double at, double side) {
    return is_periodic ? at - side * std::floor(at / side) : at;
  };
  HostField distances(g, Precision::fp64);
  for_each_cell(g, false, [&](int i, int j, int k) {
    if (CellFaces{int(faces.get(i, j, k))}.is_solid()) return;
    double sides[4] = {0.5, 0.5, 0.5, 0.5};
    constexpr int towards[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int side = 0; side < 4; ++side) {
      const auto [di, dj] = towards[side];
      if (!CellFaces{int(faces.get(i + di, j + dj, k))}.is_body()) continue;
      double outside = 0, inside = 1;  // in cell sides
      for (int n = 0; n < 40; ++n) {
        const double middle = (outside + inside) / 2;
        const double x = wrapped(box.periodic_x, (i + 0.5 + di * middle) * dx, box.width),
                     y = wrapped(box.periodic_y, (j + 0.5 + dj * middle) * dy, box.height);
        (box.is_body(x, y) ? inside : outside) = middle;
      }
      sides[side] = inside;
    }
    distances.set(i, j, k, WallDistances::of(sides).code);
  });
  return distances;
}

}  // namespace cfdmark
