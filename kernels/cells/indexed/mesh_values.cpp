#include "kernels/cells/indexed/mesh_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "kernels/mesh/geometry.hpp"

namespace cfdmark {
namespace {

Point centre_of(const Mesh& mesh, Entity entity, int e) {
  switch (entity) {
    case Entity::cell: return cell_centroid(mesh, e);
    case Entity::face: return face_centroid(mesh, e);
    case Entity::node: return mesh.nodes[std::size_t(e)];
    case Entity::edge: break;
  }
  throw std::logic_error("no kernel reads the centres of edges");
}

// Noise; of a gas at rest energies dominate, so that pressures are positive.
double noise_of(MeshValue value, int e, int d, unsigned salt) {
  const double x = noise(e, d, 0, salt);
  if (value != MeshValue::gas_state || d == 0) return x;
  return d < 4 ? 0.4 * (x - 1) : 2.5 + x;
}

}  // namespace

double mesh_quantity(const Mesh& mesh, Entity entity, MeshValue value, int e, int d) {
  switch (value) {
    case MeshValue::centre: return centre_of(mesh, entity, e)[std::size_t(d)];
    case MeshValue::area:
      if (entity == Entity::face) return face_area(mesh, e)[std::size_t(d)];
      break;
    case MeshValue::volume:
      if (entity == Entity::cell) return cell_volume(mesh, e);
      break;
    case MeshValue::boundary_flag:
      if (entity == Entity::face) return e >= mesh.inner_faces;
      break;
    case MeshValue::gas_state:
    case MeshValue::noise: break;
  }
  throw std::logic_error("this kind of entity does not have the quantity that a kernel names");
}

HostField mesh_input(const MeshShape& shape, Entity entity, int components, MeshValue value, unsigned salt) {
  const int n = shape.mesh->count(entity);
  HostField field = poisoned_mesh_field(shape, entity, components);
  const bool is_noise = value == MeshValue::noise || value == MeshValue::gas_state;
#pragma omp parallel for schedule(static) if (n > 10000)
  for (int e = 0; e < n; ++e)
    for (int d = 0; d < components; ++d)
      field.set(mesh_index(n, components, shape.vectors, e, d), 0, 0,
                is_noise ? noise_of(value, e, d, salt) : mesh_quantity(*shape.mesh, entity, value, e, d));
  return field;
}

HostField poisoned_mesh_field(const MeshShape& shape, Entity entity, int components) {
  return poisoned(
      HostField(mesh_grid(shape.mesh->count(entity), components, shape.vectors), shape.precision));
}

std::string first_mesh_difference(const std::vector<HostField>& left,
                                  const std::vector<HostField>& expected) {
  for (std::size_t n = 0; n < expected.size(); ++n)
    for (int i = 0; i < expected[n].grid().nx; ++i) {
      const double is = left[n].get(i, 0), wanted = expected[n].get(i, 0);
      if (std::memcmp(&is, &wanted, sizeof is) != 0 && !(std::isnan(is) && std::isnan(wanted)))
        return fmt::format("output {}, value {}: {} instead of {}", n, i, is, wanted);
    }
  return "";
}

std::string first_sum_difference(const HostField& left, const HostField& expected,
                                 const std::vector<double>& magnitudes) {
  const double epsilon = 2 * roundoff(expected.storage());
  for (int i = 0; i < expected.grid().nx; ++i) {
    const double is = left.get(i, 0), wanted = expected.get(i, 0),
                 limit = 4 * epsilon * magnitudes[std::size_t(i)];
    if (std::isnan(wanted) ? !std::isnan(is) : !(std::abs(is - wanted) <= limit))
      return fmt::format("value {}: {} instead of {}, beyond {} (not compared bit for bit)", i, is, wanted,
                         limit);
  }
  return "";
}

}  // namespace cfdmark
