// Flows on meshes for tests, and their steps.
#pragma once

#include <cmath>

#include "kernels/device/backend.hpp"
#include "kernels/mesh/geometry.hpp"
#include "solvers/mesh/cavity_on_mesh.hpp"
#include "tests/mesh/meshes.hpp"

namespace cfdmark {

inline std::vector<double> flat_values(const Field& field) {
  const HostField host = field.download();
  std::vector<double> values;
  for (int n = 0; n < host.grid().nx; ++n) values.push_back(host.get(n, 0));
  return values;
}

inline double norm_of_values(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}
inline double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) most = std::max(most, std::abs(a[n] - b[n]));
  return most;
}

inline std::shared_ptr<const Mesh> shared_triangles(int a, int b, int extra = 0, std::uint64_t seed = 1) {
  return std::make_shared<const Mesh>(connected(triangles(a, b, extra, seed)));
}

// The unit square with rows of triangles that are equilateral but for rounding their height, and halves at
// its left and right side.
inline std::shared_ptr<const Mesh> equilateral_triangles(int n) {
  Mesh mesh;
  const int rows = int(std::lround(n * 2 / std::sqrt(3.0)));
  std::vector<std::vector<int>> row(std::size_t(rows) + 1);
  for (int j = 0; j <= rows; ++j) {
    const bool is_shifted = j % 2 == 1;
    for (int i = 0; i <= n + is_shifted; ++i) {
      const double x = is_shifted ? (i - 0.5) / n : double(i) / n;
      row[std::size_t(j)].push_back(int(mesh.nodes.size()));
      mesh.nodes.push_back({std::clamp(x, 0.0, 1.0), double(j) / rows, 0});
    }
  }
  for (std::size_t j = 0; j < std::size_t(rows); ++j) {
    const bool is_shifted = j % 2 == 1;
    const std::vector<int>&low = row[j], &high = row[j + 1];
    const std::vector<int>&few = is_shifted ? high : low, &many = is_shifted ? low : high;
    for (std::size_t i = 0; i < many.size() - 1; ++i) {  // between two of the longer row
      const int a = many[i], b = many[i + 1], tip = few[i];
      const bool upward = is_shifted;
      mesh.cell_nodes.insert(mesh.cell_nodes.end(), upward ? std::initializer_list<int>{a, b, tip}
                                                           : std::initializer_list<int>{a, tip, b});
    }
    for (std::size_t i = 0; i + 1 < few.size(); ++i) {
      const int a = few[i], b = few[i + 1], tip = many[i + 1];
      const bool upward = !is_shifted;
      mesh.cell_nodes.insert(mesh.cell_nodes.end(), upward ? std::initializer_list<int>{a, b, tip}
                                                           : std::initializer_list<int>{a, tip, b});
    }
  }
  return std::make_shared<const Mesh>(connected(std::move(mesh)));
}

// A flow of constant velocity through an open box.
inline MeshFlow constant_flow(std::shared_ptr<const Mesh> mesh, const Point& v) {
  MeshFlow flow;
  flow.viscosity = 0.01, flow.time_step = 0.01;
  flow.boundary_velocity.assign(std::size_t(mesh->boundary_faces()), v);
  for (const Point& x : mesh->nodes) flow.start_stream.push_back(v[0] * x[1] - v[1] * x[0]);
  flow.mesh = std::move(mesh);
  return flow;
}

struct Stepped {
  StepState state;
  std::unique_ptr<Iteration> iteration;

  Stepped(StepKind kind, MeshFlow flow, const Config& given = {}, BackendKind on = BackendKind::serial,
          Precision p = Precision::fp64)
      : state(backend(on), p, std::make_shared<const MeshFlow>(std::move(flow)), kind),
        iteration(fractional_step(state, TuningSpace{step_settings()}.complete(given))) {
    iteration->start();
  }
  void step(int n) { iteration->advance(n, 0); }
  std::vector<double> flux() const { return flat_values(state.flux); }
};

}  // namespace cfdmark
