// Defines MeshKernel<K>. Included by the file that the build writes for each kernel on meshes.
#pragma once

#include "kernels/cells/indexed/cpu/scatter_cpu.hpp"
#include "kernels/cells/indexed/cuda/scatter_cuda.hpp"
#include "kernels/cells/indexed/methods/scatter_reference.hpp"

namespace cfdmark {

template <class K>
MeshArgs<K> bind_mesh(const MeshShape& shape, const std::vector<AnyView>& views, DeviceMesh& mesh) {
  auto next = views.begin();
  return {shape.precision, shape.vectors, &mesh, K::description().timed,
          mapped<K, AnyMeshViews>(K::names, [&](const auto&) { return *next++; })};
}

// True if a method of a body that gathers applies the body itself, and not its scattering form.
inline bool is_gathering(const std::string& method) { return method == "plain" || method == "repeated"; }

// Bytes of the fields of a kernel: those read and written per entity, and those per neighbour.
struct MeshFieldBytes {
  double at_entities = 0, written = 0, gathered = 0, scattered = 0;
};
template <class K>
MeshFieldBytes mesh_field_bytes(const MeshArgs<K>& args) {
  MeshFieldBytes bytes;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    const int components = name.components_in(args.dims());
    const bool is_padded = args.vectors == VectorLayout::packed && components > 1;
    const double value =
        double(stored_bytes(args.precision)) * (is_padded ? packed_width(components) : components);
    switch (name.role) {
      case MeshRole::in: bytes.at_entities += value; break;
      case MeshRole::out: bytes.written += value; break;
      case MeshRole::in_out: bytes.at_entities += value, bytes.written += value; break;
      case MeshRole::gather: bytes.gathered += value; break;
      case MeshRole::scatter: bytes.scattered += value; break;
    }
  });
  return bytes;
}

// Returns the compulsory and requested bytes of a method, from the numbers of entities E, of neighbours N and
// of entries of the lists L.
template <class K>
MeshCost mesh_cost_of(const MeshArgs<K>& args, const std::string& method, const Config& config) {
  const HostLists lists = lists_of(args.mesh->mesh(), K::around);
  const MeshFieldBytes field = mesh_field_bytes(args);
  const double E = args.entities(), N = args.neighbours(), L = double(lists.entries.size());
  const bool has_links = field.gathered + field.scattered > 0;
  const double links = has_links ? link_bytes(lists, link_layout(config)) : 0;
  const double places = sizeof(int) * L, order = sizeof(int) * E;
  const double own = (field.at_entities + field.written) * E;
  const double s = field.scattered;
  if (at_boundary_only<K>) {  // `plain` reads a flag of each face: whether it has a second cell
    const double B = args.mesh->mesh().boundary_faces(), flag = links / 2, first = links / 2 * B / E;
    const double values = (field.at_entities + field.written + field.gathered) * B;
    const double bytes = values + first + (method == "list" ? sizeof(int) * B : flag);
    return {{bytes, K::description().flops(args.dims()) * B, B}, bytes};
  }
  double once = links + own + field.gathered * N, requested = links + own + field.gathered * L;
  if (method == "plain" && scatters<K>) {  // each entity's body once per neighbour
    once += places + s * N;
    requested = places + s * N + (links + own + field.gathered * L) * degree_of(K::around, args.dims());
  } else if (method == "replicated") {
    once += places + 2 * s * L + s * N;
    requested += places + 2 * s * L + s * N;
  } else if (method == "coloured") {  // no neighbour stays in a cache between colours
    once += order + field.gathered * (L - N) + 2 * s * L + s * N;
    requested += order + 2 * s * L + s * N;
  } else if (scatters<K>) {  // atomic, in_order
    once += 3 * s * N;
    requested += 2 * s * L + s * N;
  }
  return {{once, K::description().flops(args.dims()) * E, E}, requested};
}
template <class K>
MeshCost mesh_cost(const MeshArgs<K>& args, const std::string& method, const Config& config) {
  if constexpr (has_scattering<K>)
    if (!scatters<K> && !is_gathering(method))
      return mesh_cost_of(scattering_args<Scattering<K>>(args), method, config);
  return mesh_cost_of(args, method, config);
}

// Returns the bytes of all fields on a mesh of these counts.
template <class K>
double allocated_mesh_bytes(const MeshCounts& counts, int dims, Precision p, VectorLayout vectors) {
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

// Returns why the result of a method is wrong; empty if it is right.
template <class K>
std::string mesh_problem(const HostProblem& start, const MeshShape& shape, const std::string& method,
                         const std::vector<HostField>& left) {
  if constexpr (scatters<K>) {
    return scatter_problem<K>(start, shape, method, left);
  } else {
    if constexpr (has_scattering<K>)
      if (!is_gathering(method)) return scatter_problem<Scattering<K>>(start, shape, method, left);
    return first_mesh_difference(left, mesh_expected<K>(start, shape).fields);
  }
}

template <class K>
Methods<MeshArgs<K>> MeshKernel<K>::methods(BackendKind kind) {
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
Expected expected_on_mesh(const HostProblem& start, const MeshShape& shape) {
  if constexpr (scatters<K>)
    return scatter_expected<K>(start, shape);
  else
    return mesh_expected<K>(start, shape);
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
          .expected = expected_on_mesh<K>,
          .bind = bind_mesh<K>,
          .cost = mesh_cost<K>,
          .field_bytes = allocated_mesh_bytes<K>,
          .methods = MeshKernel<K>::methods,
          .problem = mesh_problem<K>,
          .described_at = d.described_at};
}

}  // namespace cfdmark
