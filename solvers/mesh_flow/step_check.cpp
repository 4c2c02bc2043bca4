#include "solvers/mesh_flow/step_check.hpp"

#include <cmath>

#include "kernels/mesh/geometry.hpp"
#include "solvers/base/norm.hpp"
#include "solvers/mesh_flow/step_fields.hpp"

namespace cfdmark {
namespace {

void add(Point& to, double factor, const Point& what) {
  for (std::size_t d = 0; d < 3; ++d) to[d] += factor * what[d];
}

std::vector<double> sum(const std::vector<double>& x, double factor, const std::vector<double>& y) {
  std::vector<double> all = x;
  for (std::size_t n = 0; n < x.size(); ++n) all[n] += factor * y[n];
  return all;
}

double norm(const std::vector<double>& values) {
  return norm_of([&](const auto& add_value) {
    for (const double value : values) add_value(value);
  });
}

// Calls f(face, first cell, second cell or -1).
template <class F>
void for_each_face(const Mesh& mesh, const F& f) {
  for (std::size_t face = 0; face < std::size_t(mesh.faces()); ++face)
    f(face, mesh.face_cells[2 * face], mesh.face_cells[2 * face + 1]);
}

}  // namespace

HostStep::HostStep(const MeshFlow& flow, bool upwind)
    : flow_(flow),
      mesh_(*flow.mesh),
      upwind_(upwind),
      cells_(cell_centroids(mesh_)),
      faces_(face_centroids(mesh_)),
      volumes_(cell_volumes(mesh_)),
      inner_(inner_nodes(mesh_)) {
  for (int f = 0; f < mesh_.faces(); ++f)
    slopes_.push_back(length(face_area(mesh_, f)) / centre_distance(mesh_, f));
}

std::vector<Point> HostStep::interpolated(const std::vector<double>& flux) const {
  std::vector<Point> sums(cells_.size(), Point{});
  for_each_face(mesh_, [&](std::size_t f, int one, int two) {
    add(sums[std::size_t(one)], flux[f], difference(faces_[f], cells_[std::size_t(one)]));
    if (two >= 0) add(sums[std::size_t(two)], -flux[f], difference(faces_[f], cells_[std::size_t(two)]));
  });
  for (std::size_t c = 0; c < sums.size(); ++c)
    for (double& component : sums[c]) component /= volumes_[c];
  return sums;
}

std::vector<double> HostStep::integrated(const std::vector<Point>& sums) const {
  std::vector<double> along(faces_.size());
  for_each_face(mesh_, [&](std::size_t f, int one, int two) {
    if (two < 0) return;
    const auto part = [&](int c) {
      const auto n = std::size_t(c);
      return dot(sums[n], difference(faces_[f], cells_[n])) / volumes_[n];
    };
    along[f] = part(one) - part(two);
  });
  return along;
}

std::vector<double> HostStep::momentum(const std::vector<double>& flux) const {
  const std::vector<Point> v = interpolated(flux);
  std::vector<Point> sums(v.size(), Point{});
  for_each_face(mesh_, [&](std::size_t f, int one, int two) {
    const double a = flow_.viscosity * slopes_[f];
    const Point jump = difference(v[std::size_t(one)], two < 0 ? Point{} : v[std::size_t(two)]);
    add(sums[std::size_t(one)], a, jump);
    if (two >= 0) add(sums[std::size_t(two)], -a, jump);
  });
  std::vector<double> result = integrated(sums);
  for_each_face(mesh_, [&](std::size_t f, int, int two) {
    if (two >= 0) result[f] += flux[f] / (slopes_[f] * flow_.time_step);
  });
  return result;
}

std::vector<double> HostStep::right_side(const std::vector<double>& flux) const {
  const std::vector<Point> v = interpolated(flux);
  std::vector<Point> sums(v.size(), Point{});
  for_each_face(mesh_, [&](std::size_t f, int one, int two) {
    const Point& own = v[std::size_t(one)];
    if (two < 0) {
      const Point& wall = flow_.boundary_velocity[f - std::size_t(mesh_.inner_faces)];
      return add(sums[std::size_t(one)], flow_.viscosity * slopes_[f] - flux[f], wall);
    }
    const Point& other = v[std::size_t(two)];
    Point between{};
    if (upwind_)
      between = flux[f] > 0 ? own : other;
    else
      add(between, 0.5, own), add(between, 0.5, other);
    add(sums[std::size_t(one)], -flux[f], between);
    add(sums[std::size_t(two)], flux[f], between);
  });
  std::vector<double> result = integrated(sums);
  for_each_face(mesh_, [&](std::size_t f, int, int two) {
    if (two >= 0) result[f] += flux[f] / (slopes_[f] * flow_.time_step);
  });
  return result;
}

std::vector<double> HostStep::divergence(const std::vector<double>& flux) const {
  std::vector<double> lost(cells_.size());
  for_each_face(mesh_, [&](std::size_t f, int one, int two) {
    lost[std::size_t(one)] += flux[f];
    if (two >= 0) lost[std::size_t(two)] -= flux[f];
  });
  return lost;
}

std::vector<double> HostStep::rotation(const std::vector<double>& faces) const {
  std::vector<double> around(mesh_.nodes.size());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    around[std::size_t(mesh_.face_nodes[2 * f])] -= faces[f];
    around[std::size_t(mesh_.face_nodes[2 * f + 1])] += faces[f];
  }
  for (std::size_t n = 0; n < around.size(); ++n)
    if (!inner_[n]) around[n] = 0;
  return around;
}

std::vector<double> HostStep::corrected(std::vector<double> flux, const std::vector<double>& pressure,
                                        double sign) const {
  for_each_face(mesh_, [&](std::size_t f, int one, int two) {
    if (two >= 0)
      flux[f] -=
          sign * flow_.time_step * slopes_[f] * (pressure[std::size_t(two)] - pressure[std::size_t(one)]);
  });
  return flux;
}

StepCheck HostStep::check(const StepFluxes& fluxes, double unit_roundoff) const {
  StepCheck found;
  const double size = norm(fluxes.flux);
  if (size > 0) {
    found.change = norm(sum(fluxes.flux, -1, fluxes.old_flux)) / size / flow_.time_step;
    found.continuity = norm(divergence(fluxes.flux)) / size;
  }
  const bool is_exact = fluxes.pressure.empty();
  // The classical step's momentum is that of the fluxes before their correction.
  const std::vector<double> solved = is_exact ? fluxes.flux : corrected(fluxes.flux, fluxes.pressure, -1);
  const std::vector<double> r = right_side(fluxes.old_flux), image = momentum(solved);
  const auto residual_norm = [&](const std::vector<double>& e) { return norm(is_exact ? rotation(e) : e); };
  const double first = residual_norm(sum(r, -1, momentum(fluxes.old_flux)));
  const double left = residual_norm(sum(r, -1, image));
  if (first > 0) {
    found.equation = left / first;
    // The classical step's fluxes are known as the difference of U and what p pushed: each loses digits of p.
    std::vector<double> pushed(fluxes.flux.size());
    if (!is_exact)
      for_each_face(mesh_, [&](std::size_t f, int one, int two) {
        if (two < 0) return;
        const auto size_of = [&](int c) { return std::abs(fluxes.pressure[std::size_t(c)]); };
        pushed[f] = flow_.time_step * slopes_[f] * (size_of(one) + size_of(two));
      });
    found.rounding = unit_roundoff * (norm(r) + norm(image) + norm(momentum(pushed))) / first;
  }
  return found;
}

}  // namespace cfdmark
