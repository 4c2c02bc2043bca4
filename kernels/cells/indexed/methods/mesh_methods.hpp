// Defines MeshKernel<K>. Included by the file that the build writes for each kernel on meshes.
#pragma once

#include "kernels/cells/indexed/cpu/mesh_cpu.hpp"
#include "kernels/cells/indexed/cuda/mesh_cuda.hpp"
#include "kernels/cells/indexed/methods/mesh_reference.hpp"

namespace cfdmark {

template <class K>
MeshArgs<K> bind_mesh(const MeshShape& shape, const std::vector<AnyView>& views, DeviceMesh& mesh) {
  auto next = views.begin();
  return {shape.precision, shape.vectors, &mesh, K::description().timed,
          mapped<K, AnyMeshViews>(K::names, [&](const auto&) { return *next++; })};
}

// Returns the work of one step: lists and values that the method reads, and values that it writes.
template <class K>
MeshCost mesh_cost(const MeshArgs<K>& args, const Config& config) {
  const Mesh& mesh = args.mesh->mesh();
  const HostLists lists = lists_of(mesh, K::around);
  const double of_lists = link_bytes(lists, link_layout(config)),
               value = double(stored_bytes(args.precision));
  const int dims = mesh.dims;
  double once = 0, requested = 0;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    const int components = name.components_in(dims);
    const bool is_padded = args.vectors == VectorLayout::packed && components > 1;
    const double bytes = value * (is_padded ? packed_width(components) : components);
    const double entities = mesh.count(entity_of<K>(name, dims));
    const double both = name.role == MeshRole::in_out || name.role == MeshRole::scatter ? 2 : 1;
    once += both * bytes * entities;
    requested += both * bytes * (is_at_neighbours(name.role) ? double(lists.entries.size()) : entities);
  });
  const double entities = args.entities();
  return {{of_lists + once, K::description().flops(dims) * entities, entities}, of_lists + requested};
}

template <class K>
double mesh_field_bytes(const MeshCounts& counts, int dims, Precision p, VectorLayout vectors) {
  const auto count_of = [&](Entity entity) {
    switch (entity) {
      case Entity::cell: return counts.cells;
      case Entity::face: return counts.faces;
      case Entity::edge: return counts.edges;
      case Entity::node: break;
    }
    return counts.nodes;
  };
  double values = 0;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    const int n = int(count_of(entity_of<K>(name, dims)));
    values += double(Layout(mesh_grid(n, name.components_in(dims), vectors)).elements);
  });
  return values * double(stored_bytes(p));
}

template <class K>
std::string mesh_problem(const HostProblem& start, const MeshShape& shape, const std::string&,
                         const std::vector<HostField>& left) {
  return first_mesh_difference(left, mesh_expected<K>(start, shape).fields);
}

template <class K>
Methods<MeshArgs<K>> plain_mesh_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return mesh_serial<K>();
    case BackendKind::openmp: return mesh_openmp<K>();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return KokkosMesh<K>::methods();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return mesh_cuda<K>();
      break;
  }
  return {};
}

template <class K>
Methods<MeshArgs<K>> MeshKernel<K>::methods(BackendKind kind) {
  Methods<Args> methods = plain_mesh_methods<K>(kind);
  if (const auto more = K::description().more)
    for (Method<Args>& method : more(kind)) methods.push_back(std::move(method));
  return methods;
}

template <class K>
MeshKernelDescription<MeshArgs<K>> MeshKernel<K>::kernel() {
  const MeshDescription<K> d = K::description();
  return {.name = d.name,
          .around = K::around,
          .in_2d = only_dims<K> != 3,
          .in_3d = only_dims<K> != 2,
          .has_vectors = has_vectors<K>,
          .start = mesh_start<K>,
          .expected = mesh_expected<K>,
          .bind = bind_mesh<K>,
          .cost = mesh_cost<K>,
          .field_bytes = mesh_field_bytes<K>,
          .methods = MeshKernel<K>::methods,
          .problem = mesh_problem<K>,
          .described_at = d.described_at};
}

}  // namespace cfdmark
