#include "solvers/mesh_flow/step_fields.hpp"

#include <functional>

#include "kernels/cells/indexed/mesh_values.hpp"
#include "kernels/device/backends/counting.hpp"
#include "kernels/mesh/geometry.hpp"

namespace cfdmark {
namespace {

using MeshNumber = std::function<double(int e, int d)>;

HostField host_field(const Mesh& mesh, Precision storage, Entity entity, int components,
                     const MeshNumber& number) {
  const int n = mesh.count(entity);
  HostField field(mesh_grid(n, components, VectorLayout::planes), storage);
  for (int e = 0; e < n; ++e)
    for (int d = 0; d < components; ++d)
      field.set(mesh_index(n, components, VectorLayout::planes, e, d), 0, 0, number(e, d));
  return field;
}

}  // namespace

double centre_distance(const Mesh& mesh, int face) {
  const int one = mesh.face_cells[std::size_t(2 * face)], two = mesh.face_cells[std::size_t(2 * face) + 1];
  const Point to = two < 0 ? face_centroid(mesh, face) : cell_centroid(mesh, two);
  return length(difference(to, cell_centroid(mesh, one)));
}

std::vector<char> inner_nodes(const Mesh& mesh) {
  std::vector<char> inner(mesh.nodes.size(), 1);
  for (auto n = std::size_t(mesh.dims) * std::size_t(mesh.inner_faces); n < mesh.face_nodes.size(); ++n)
    inner[std::size_t(mesh.face_nodes[n])] = 0;
  return inner;
}

std::vector<double> start_fluxes(const MeshFlow& flow) {
  const Mesh& mesh = *flow.mesh;
  const auto at_node = [&](std::size_t n) { return flow.start_stream[std::size_t(mesh.face_nodes[n])]; };
  std::vector<double> flux(std::size_t(mesh.faces()));
  for (std::size_t f = 0; f < flux.size(); ++f) flux[f] = at_node(2 * f + 1) - at_node(2 * f);
  return flux;
}

StepFields::StepFields(Backend& on, Precision how, const MeshFlow& flow)
    : backend(on),
      precision(storage_of(how)),
      lists(std::make_unique<DeviceMesh>(on, flow.mesh)),
      cell_centre(field(Entity::cell, mesh().dims)),
      face_centre(field(Entity::face, mesh().dims)),
      volume(field(Entity::cell)),
      inertia(field(Entity::face)),
      drag(field(Entity::face)),
      push(field(Entity::face)),
      wall(field(Entity::face, mesh().dims)),
      inner(field(Entity::node)),
      velocity(field(Entity::cell, mesh().dims)),
      force(field(Entity::cell, mesh().dims)) {
  if (only_counts(on)) return;
  const int dims = mesh().dims;
  const MeshShape shape{flow.mesh, precision};
  cell_centre.upload(mesh_input(shape, Entity::cell, dims, MeshValue::centre, 0));
  face_centre.upload(mesh_input(shape, Entity::face, dims, MeshValue::centre, 0));
  volume.upload(mesh_input(shape, Entity::cell, 1, MeshValue::volume, 0));
  const std::vector<char> is_inner = inner_nodes(mesh());
  inner.upload(
      host_field(mesh(), precision, Entity::node, 1, [&](int n, int) { return is_inner[std::size_t(n)]; }));
  upload(flow);
}

void StepFields::upload(const MeshFlow& flow) {
  std::vector<double> slope(std::size_t(mesh().faces()));  // A / L
  for (int f = 0; f < mesh().faces(); ++f)
    slope[std::size_t(f)] = length(face_area(mesh(), f)) / centre_distance(mesh(), f);
  const auto upload_faces = [&](Field& to, const MeshNumber& number) {
    const int components = &to == &wall ? mesh().dims : 1;
    to.upload(host_field(mesh(), precision, Entity::face, components, number));
  };
  upload_faces(inertia, [&](int f, int) { return 1 / (slope[std::size_t(f)] * flow.time_step); });
  upload_faces(drag, [&](int f, int) { return flow.viscosity * slope[std::size_t(f)]; });
  upload_faces(push, [&](int f, int) { return flow.time_step * slope[std::size_t(f)]; });
  upload_faces(wall, [&](int f, int d) {
    const int outside = f - mesh().inner_faces;
    return outside < 0 ? 0 : flow.boundary_velocity[std::size_t(outside)][std::size_t(d)];
  });
}

Field StepFields::field(Entity entity, int components) const {
  return Field(backend, mesh_grid(mesh().count(entity), components, VectorLayout::planes), precision);
}

void StepFields::set(Field& to, Entity entity, const std::vector<double>& values) const {
  if (only_counts(backend)) return;
  to.upload(host_field(mesh(), precision, entity, 1, [&](int e, int) { return values[std::size_t(e)]; }));
}

}  // namespace cfdmark
