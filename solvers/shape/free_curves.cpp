#include "solvers/shape/free_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace cfdmark {
namespace {

using std::numbers::pi;

constexpr int bezier_corners = 6, points_per_piece = 128;
// With four pieces and more this share makes a circle of equal corners to 0.03 %: 4/3 tan(pi/12) over the
// chord of 60 degrees, which is the radius.
constexpr double edge_of_circle = 0.3573;

constexpr int polygon_corners = 8;

constexpr int mask_columns = 10, mask_rows = 5;

using LatticeCell = std::pair<int, int>;  // column, row

std::string mask_name(int column, int row) { return fmt::format("m{}_{}", column + 1, row + 1); }

// Positive in an ellipse of aspect 2 in the middle of the lattice.
double mask_start(int column, int row) {
  const double x = (column + 0.5) / mask_columns * 2 - 1, y = (row + 0.5) / mask_rows * 2 - 1;
  return 0.6 - x * x - y * y;
}

// Returns the largest set of cells connected by their sides; of equal ones the first.
std::vector<LatticeCell> largest_part(const std::vector<double>& values) {
  std::map<LatticeCell, bool> is_new;  // of solid cells
  for (int row = 0; row < mask_rows; ++row)
    for (int column = 0; column < mask_columns; ++column)
      if (values[std::size_t(row * mask_columns + column)] > 0) is_new[{column, row}] = true;
  std::vector<LatticeCell> largest;
  for (auto& [first, unseen] : is_new) {
    if (!unseen) continue;
    unseen = false;
    std::vector<LatticeCell> part = {first};
    for (std::size_t n = 0; n < part.size(); ++n)
      for (const auto& [dx, dy] :
           {LatticeCell(1, 0), LatticeCell(-1, 0), LatticeCell(0, 1), LatticeCell(0, -1)})
        if (const auto next = is_new.find({part[n].first + dx, part[n].second + dy});
            next != is_new.end() && std::exchange(next->second, false))
          part.push_back(next->first);
    if (part.size() > largest.size()) largest = std::move(part);
  }
  return largest;
}

}  // namespace

std::vector<ShapeParameter> bezier_parameters() {
  std::vector<ShapeParameter> all;
  for (int n = 1; n <= bezier_corners; ++n)
    all.push_back(
        {fmt::format("r{}", n), 0, fmt::format("logarithm of the radius of corner {}", n), -0.7, 0.7});
  for (int n = 1; n <= bezier_corners; ++n)
    all.push_back({fmt::format("t{}", n), 0,
                   fmt::format("place of corner {} in its sector, from -1/2 to 1/2", n), -0.4, 0.4});
  all.push_back({"edge", edge_of_circle, "distance of the control points: 0 is a polygon"});
  return all;
}

std::vector<PlanePoint> bezier_curve(const std::vector<double>& p) {
  std::array<PlanePoint, bezier_corners> corner, direction;
  const auto next = [](std::size_t n) { return (n + 1) % bezier_corners; };
  const auto before = [](std::size_t n) { return (n + bezier_corners - 1) % bezier_corners; };
  for (std::size_t n = 0; n < bezier_corners; ++n) {
    const double r = std::exp(p[n]), t = 2 * pi * (double(n) + p[bezier_corners + n]) / bezier_corners;
    corner[n] = {r * std::cos(t), r * std::sin(t)};
  }
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::hypot(corner[a].x - corner[b].x, corner[a].y - corner[b].y);
  };
  for (std::size_t n = 0; n < bezier_corners; ++n) {
    const std::size_t a = before(n), b = next(n);
    const double in = std::max(distance(a, n), 1e-12), out = std::max(distance(n, b), 1e-12);
    const double x = (corner[n].x - corner[a].x) / in + (corner[b].x - corner[n].x) / out;
    const double y = (corner[n].y - corner[a].y) / in + (corner[b].y - corner[n].y) / out;
    const double size = std::max(std::hypot(x, y), 1e-12), reach = p[2 * bezier_corners] * std::min(in, out);
    direction[n] = {reach * x / size, reach * y / size};
  }
  std::vector<PlanePoint> curve;
  for (std::size_t n = 0; n < bezier_corners; ++n)
    for (int k = 0; k < points_per_piece; ++k) {
      const std::size_t m = next(n);
      const double s = double(k) / points_per_piece, r = 1 - s;
      const auto at = [&](double PlanePoint::*c) {
        const double a = corner[n].*c, d = corner[m].*c;
        return r * r * r * a + 3 * r * r * s * (a + direction[n].*c) + 3 * r * s * s * (d - direction[m].*c) +
               s * s * s * d;
      };
      curve.push_back({at(&PlanePoint::x), at(&PlanePoint::y)});
    }
  return curve;
}

std::vector<ShapeParameter> polygon_parameters() {
  std::vector<ShapeParameter> all;
  for (const char of : {'x', 'y'})
    for (int n = 0; n < polygon_corners; ++n) {
      const double t = 2 * pi * n / polygon_corners, start = of == 'x' ? std::cos(t) : std::sin(t);
      all.push_back({fmt::format("{}{}", of, n + 1), start, fmt::format("{} of corner {}", of, n + 1),
                     start - 0.5, start + 0.5});
    }
  return all;
}

std::vector<PlanePoint> polygon_curve(const std::vector<double>& p) {
  std::vector<PlanePoint> curve;
  for (std::size_t n = 0; n < polygon_corners; ++n) curve.push_back({p[n], p[polygon_corners + n]});
  return curve;
}

std::vector<ShapeParameter> mask_parameters() {
  std::vector<ShapeParameter> all;
  for (int row = 0; row < mask_rows; ++row)
    for (int column = 0; column < mask_columns; ++column) {
      const double start = mask_start(column, row);
      all.push_back({mask_name(column, row), start,
                     fmt::format("value of the cell in column {}, row {}", column + 1, row + 1), start - 0.5,
                     start + 0.5});
    }
  return all;
}

std::vector<PlanePoint> mask_curve(const std::vector<double>& p) {
  const std::vector<LatticeCell> part = largest_part(p);
  if (part.empty()) throw std::invalid_argument("mask: no cell is solid");
  const auto is_solid = [&](int column, int row) {
    return std::find(part.begin(), part.end(), LatticeCell{column, row}) != part.end();
  };
  // From the lowest corner of the lowest, leftmost cell on, with the solid on the left.
  const auto first =
      *std::min_element(part.begin(), part.end(), [](const LatticeCell& a, const LatticeCell& b) {
        return std::pair(a.second, a.first) < std::pair(b.second, b.first);
      });
  std::vector<PlanePoint> curve;
  int x = first.first, y = first.second, dx = 1, dy = 0;
  do {
    curve.push_back({double(x), double(y)});
    x += dx, y += dy;
    // The two cells ahead, right and left of the direction. A cell touched only at its corner is not
    // followed.
    const auto ahead = [&](int side) {
      const int cx = (dx + dy * side), cy = (dy - dx * side);  // twice the offset to the cell's middle
      return is_solid(x + (cx < 0 ? -1 : 0), y + (cy < 0 ? -1 : 0));
    };
    const bool right = ahead(1), left = ahead(-1);
    if (!left) {
      std::tie(dx, dy) = std::pair(-dy, dx);
    } else if (right) {
      std::tie(dx, dy) = std::pair(dy, -dx);
    }
  } while (x != first.first || y != first.second || dx != 1 || dy != 0);
  return curve;
}

}  // namespace cfdmark
