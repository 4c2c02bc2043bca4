#include "solvers/problems/surface_vorticity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/shape/constraints.hpp"

namespace cfdmark {
namespace {

// Cells between these distances from the surface count, in cell sides along the normal. The equations of
// nearer ones hold the surface to a share of a side only.
constexpr double least_distance = 0.75, largest_distance = 3.75;
constexpr double half_window = 2.5;       // of the cells of a point along the surface, in cell sides
constexpr double least_alignment = 0.95;  // cosine between the normals of a cell and of its point
constexpr int points = 360;

double length_of(PlanePoint a) { return std::hypot(a.x, a.y); }
PlanePoint less(PlanePoint a, PlanePoint b) { return {a.x - b.x, a.y - b.y}; }
double product(PlanePoint a, PlanePoint b) { return a.x * b.x + a.y * b.y; }

// An outline with the length along it.
class Surface {
 public:
  explicit Surface(const Outline& outline) : corners_(outline.corners) {
    if (signed_area() < 0) std::reverse(corners_.begin(), corners_.end());
    double along = 0;
    for (std::size_t n = 0; n < corners_.size(); ++n) {
      along_.push_back(along);
      along += length_of(less(end(n), corners_[n]));
    }
    length_ = along;
  }
  double length() const { return length_; }

  // Returns the place at a length along the surface, and the outward normal there.
  std::pair<PlanePoint, PlanePoint> at(double along) const {
    const auto after = std::upper_bound(along_.begin(), along_.end(), along);
    const std::size_t n = std::size_t(after - along_.begin()) - 1;
    const PlanePoint edge = less(end(n), corners_[n]);
    const double size = length_of(edge), share = size > 0 ? (along - along_[n]) / size : 0;
    return {{corners_[n].x + share * edge.x, corners_[n].y + share * edge.y},
            {edge.y / size, -edge.x / size}};
  }

  struct Foot {
    PlanePoint place;
    double along = 0, distance = INFINITY;
  };
  // Returns the nearest point of the surface.
  Foot foot(PlanePoint from) const {
    Foot nearest;
    for (std::size_t n = 0; n < corners_.size(); ++n) {
      const PlanePoint a = corners_[n], edge = less(end(n), a);
      const double square = product(edge, edge);
      const double share = square > 0 ? std::clamp(product(less(from, a), edge) / square, 0.0, 1.0) : 0;
      const PlanePoint place{a.x + share * edge.x, a.y + share * edge.y};
      const double distance = length_of(less(from, place));
      if (distance < nearest.distance) nearest = {place, along_[n] + share * std::sqrt(square), distance};
    }
    return nearest;
  }

 private:
  PlanePoint end(std::size_t n) const { return corners_[(n + 1) % corners_.size()]; }
  double signed_area() const {
    double twice = 0;
    for (std::size_t n = 0; n < corners_.size(); ++n)
      twice += corners_[n].x * end(n).y - corners_[n].y * end(n).x;
    return twice / 2;
  }

  std::vector<PlanePoint> corners_;  // counterclockwise
  std::vector<double> along_;
  double length_ = 0;
};

// Tangential velocity over distance at the centre of a cell.
struct NearCell {
  PlanePoint normal;
  double along, distance, rate;  // distance: in cell sides
};

std::vector<NearCell> cells_near(const Surface& surface, const Outline& outline, const FluidCell& cell,
                                 const HostField& faces, const FlowFields& flow) {
  const Grid& g = faces.grid();
  const PlanePoint low = outline.low(), high = outline.high();
  const auto within = [](double at, double side, int cells) {
    return std::clamp(int(std::floor(at / side)), 0, cells - 1);
  };
  const double reach = largest_distance + 1;
  std::vector<NearCell> all;
  for (int j = within(low.y - reach * cell.dy, cell.dy, g.ny);
       j <= within(high.y + reach * cell.dy, cell.dy, g.ny); ++j)
    for (int i = within(low.x - reach * cell.dx, cell.dx, g.nx);
         i <= within(high.x + reach * cell.dx, cell.dx, g.nx); ++i) {
      if (CellFaces{int(faces.get(i, j))}.is_solid()) continue;
      const Centre centre(cell, i, j);
      const Surface::Foot foot = surface.foot({centre.x, centre.y});
      if (foot.distance == 0) continue;
      const PlanePoint normal{(centre.x - foot.place.x) / foot.distance,
                              (centre.y - foot.place.y) / foot.distance};
      const double side = std::hypot(normal.x * cell.dx, normal.y * cell.dy);
      if (foot.distance < least_distance * side || foot.distance > largest_distance * side) continue;
      const double tangential = normal.x * flow.v.get(i, j) - normal.y * flow.u.get(i, j);
      all.push_back({normal, foot.along, foot.distance / side, tangential / foot.distance});
    }
  return all;
}

// Weighted least squares of up to six terms. The first coefficient is the value at the origin.
class Fit {
 public:
  static constexpr int most = 6;

  void add(const std::array<double, most>& terms, double value, double weight) {
    ++cells_;
    for (int row = 0; row < most; ++row) {
      for (int column = 0; column < most; ++column) a_[row][column] += weight * terms[row] * terms[column];
      a_[row][most] += weight * terms[row] * value;
    }
  }
  int cells() const { return cells_; }
  // Returns the first of the coefficients of the first terms; none if they are not determined.
  std::optional<double> first(int terms) const {
    auto a = a_;
    for (int n = 0; n < terms; ++n) a[n][terms] = a_[n][most];
    // The first unknown is eliminated last.
    for (int pivot = terms - 1; pivot > 0; --pivot) {
      if (!(a[pivot][pivot] > 1e-10 * a_[pivot][pivot])) return {};
      for (int row = 0; row < pivot; ++row) {
        const double share = a[row][pivot] / a[pivot][pivot];
        for (int column = 0; column <= terms; ++column) a[row][column] -= share * a[pivot][column];
      }
    }
    if (!(a[0][0] > 0)) return {};
    return a[0][terms] / a[0][0];
  }

 private:
  std::array<std::array<double, most + 1>, most> a_ = {};
  int cells_ = 0;
};

// Returns the rate at the surface. The terms are those of a parabola in distance and length; fewer where few
// cells are near.
std::optional<double> at_surface(const std::vector<NearCell>& cells, double along, PlanePoint normal,
                                 double window, double length) {
  Fit fit;
  for (const NearCell& cell : cells) {
    const double apart = std::remainder(cell.along - along, length) / window;
    if (std::abs(apart) >= 1 || product(cell.normal, normal) < least_alignment) continue;
    const double d = cell.distance / largest_distance;
    fit.add({1, d, apart, apart * apart, d * apart, d * d}, cell.rate, 1 - apart * apart);
  }
  std::optional<double> found;
  for (const int terms : {6, 3, 2, 1})
    if (!found && fit.cells() >= 2 * terms) found = fit.first(terms);
  return found;
}

}  // namespace

std::optional<SurfaceVorticity> surface_vorticity(const Outline& outline, const FluidCell& cell,
                                                  const HostField& faces, const FlowFields& flow) {
  if (outline.corners.empty() || crosses_itself(outline)) return {};
  const Surface surface(outline);
  const std::vector<NearCell> cells = cells_near(surface, outline, cell, faces, flow);
  const double window = half_window * std::max(cell.dx, cell.dy);
  SurfaceVorticity all;
  double sum = 0, squares = 0;
  for (int n = 0; n < points; ++n) {
    const double along = (n + 0.5) * surface.length() / points;
    const auto [place, normal] = surface.at(along);
    const auto rate = at_surface(cells, along, normal, window, surface.length());
    if (!rate) return {};
    all.points.push_back({place, along, *rate});
    sum += std::abs(*rate), squares += *rate * *rate;
  }
  all.mean = sum / points;
  all.spread = all.mean > 0 ? std::sqrt(std::max(0.0, squares / points - all.mean * all.mean)) / all.mean : 0;
  return all;
}

}  // namespace cfdmark
