// Derives from a kernel on a mesh (indexed_cell.hpp) what the catalog and the solvers need.
#pragma once

#include <functional>
#include <string>
#include <type_traits>

#include "kernels/cells/indexed/device_mesh.hpp"
#include "kernels/cells/indexed/scatter.hpp"
#include "kernels/cells/timed_problem.hpp"
#include "kernels/core/method.hpp"
#include "kernels/device/built.hpp"
#include "kernels/mesh/generate.hpp"

namespace cfdmark {

// Components of a vector: a plane of values each, or those of an entity next to each other.
enum class VectorLayout { planes, packed };

// Everything that determines the problem of a kernel on a mesh. The mesh must be connected (connect.hpp).
struct MeshShape {
  std::shared_ptr<const Mesh> mesh;
  Precision precision = Precision::fp64;
  VectorLayout vectors = VectorLayout::planes;
};

// Elements from a component of a vector on n entities to the next.
constexpr Index mesh_pitch(Index n) {
  return (n + Grid::row_alignment - 1) / Grid::row_alignment * Grid::row_alignment;
}
// Returns the flat grid of a field with this number of components on n entities.
inline Grid mesh_grid(int n, int components, VectorLayout vectors) {
  if (components == 1) return flat_grid(n);
  return vectors == VectorLayout::packed ? flat_grid(n * packed_width(components))
                                         : flat_grid(int(mesh_pitch(n)) * components);
}
// Returns the index of component d of entity e in such a field.
inline int mesh_index(int n, int components, VectorLayout vectors, int e, int d) {
  if (components == 1) return e;
  return vectors == VectorLayout::packed ? e * packed_width(components) + d : int(mesh_pitch(n)) * d + e;
}

template <MeshRole, int>
using AnyMeshView = AnyView;
using AnyMeshViews = EachMeshRole<0, AnyMeshView>;

// Arguments of a kernel on a mesh. All fields are stored in the stored type of `precision`.
template <class K>
struct MeshArgs {
  Precision precision = Precision::fp64;
  VectorLayout vectors = VectorLayout::planes;
  DeviceMesh* mesh = nullptr;  // outlives the steps
  K kernel = {};
  typename K::template Fields<AnyMeshViews> fields = {};

  int dims() const { return mesh->mesh().dims; }
  // Number of entities that may be neighbours.
  int neighbours() const { return mesh->mesh().count(neighbours_in(K::around, dims())); }
  // Number of entities that the kernel runs over.
  int entities() const { return mesh->mesh().count(entities_with(K::around, dims())); }
};

template <class K, MeshRole role, int n>
Entity entity_of(const MeshFieldName<role, n>&, int dims) {
  return is_at_neighbours(role) ? neighbours_in(K::around, dims) : entities_with(K::around, dims);
}

// Bytes of one step. requested: every load and store of the method. Cost::bytes counts each value once.
struct MeshCost {
  Cost compulsory;
  double requested = 0;
};

// Host-only facts about a kernel on a mesh, returned by K::description() in the kernel's .cpp.
template <class K>
struct MeshDescription {
  std::string name;           // name in the catalog
  double (*flops)(int dims);  // floating-point operations per entity
  K timed = {};
  SourcePlace described_at = SourcePlace::here();
};

// A kernel on meshes on all backends, as the catalog sees it.
template <class Args>
struct MeshKernelDescription {
  std::string name;
  Connection around;
  bool in_2d = true, in_3d = true;
  bool has_vectors = false;  // timed with each VectorLayout
  // Returns the initial problem; equal for precisions with the same storage.
  HostProblem (*start)(const MeshShape&);
  // Returns the expected result of one step.
  Expected (*expected)(const HostProblem& start, const MeshShape&);
  // Returns args for the problem's fields, in the problem's order. The mesh is that of the shape.
  Args (*bind)(const MeshShape&, const std::vector<AnyView>&, DeviceMesh&);
  MeshCost (*cost)(const Args&, const std::string& method, const Config&);
  // Returns the bytes of all fields on a mesh of these counts.
  double (*field_bytes)(const MeshCounts&, int dims, Precision, VectorLayout);
  Methods<Args> (*methods)(BackendKind);
  // Returns why what a method has left in the written fields is wrong; empty if it is right. Methods that add
  // in a different order are compared with that order, atomic ones with a tolerance.
  std::string (*problem)(const HostProblem& start, const MeshShape&, const std::string& method,
                         const std::vector<HostField>& left);
  SourcePlace described_at = SourcePlace::here();
};

struct TypedMeshView {
  const AnyView& view;
  Index pitch;
  template <MeshRole r, class T, int n, bool packed>
  operator MeshValues<r, T, n, packed>() const {
    return {view.as<T>().origin, pitch};
  }
};

template <class K, class V>
typename K::template Fields<V> typed_fields(const MeshArgs<K>& args) {
  std::vector<Index> pitches;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    pitches.push_back(mesh_pitch(args.mesh->mesh().count(entity_of<K>(name, args.dims()))));
  });
  auto pitch = pitches.begin();
  return mapped<K, V>(args.fields, [&](const AnyView& view) { return TypedMeshView{view, *pitch++}; });
}

// Calls f.template operator()<V>(fields) with typed values and returns its result; V is a MeshViews. The
// types follow from precision, dimension and layout of vectors.
template <class K, class F>
decltype(auto) dispatch_mesh_types(const MeshArgs<K>& args, F&& f) {
  return with_types(args.precision, [&]<class S, class C>() -> decltype(auto) {
    const auto in = [&]<int dims>() -> decltype(auto) {
      if constexpr (has_vectors<K>)
        if (args.vectors == VectorLayout::packed) {
          using V = MeshViews<S, C, dims, true>;
          return f.template operator()<V>(typed_fields<K, V>(args));
        }
      using V = MeshViews<S, C, dims, false>;
      return f.template operator()<V>(typed_fields<K, V>(args));
    };
    if constexpr (only_dims<K> != 2)
      if (only_dims<K> == 3 || args.dims() == 3) return in.template operator()<3>();
    if constexpr (only_dims<K> != 3) return in.template operator()<2>();
  });
}

// The kernel whose body scatters: K itself, or K::Scattering, which has the same fields in the same order and
// computes the same. Methods that scatter follow from it.
template <class K>
struct ScatteringOf {
  using Type = void;
};
template <class K>
requires scatters<K>
struct ScatteringOf<K> {
  using Type = K;
};
template <class K>
requires requires { typename K::Scattering; }
struct ScatteringOf<K> {
  using Type = typename K::Scattering;
};
template <class K>
using Scattering = typename ScatteringOf<K>::Type;
template <class K>
inline constexpr bool has_scattering = !std::is_void_v<Scattering<K>>;

// Returns the arguments of the scattering kernel.
template <class To, class K>
MeshArgs<To> scattering_args(const MeshArgs<K>& args) {
  if constexpr (std::is_same_v<To, K>)
    return args;  // with its parameters
  else
    return {args.precision, args.vectors, args.mesh, To(),
            mapped<To, AnyMeshViews>(args.fields, [](const AnyView& view) { return view; })};
}

// Components of the field that a kernel scatters to, in a mesh of this many dimensions.
template <class K>
int scattered_components(int dims) {
  int components = 0;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    if (name.role == MeshRole::scatter) components = name.components_in(dims);
  });
  return components;
}

// Calls f(places) with the places of a connection in their type.
template <Connection c, int dims, class F>
decltype(auto) with_places(const LinkMemory& memory, F&& f) {
  const auto* const entries = static_cast<const int*>(memory.entries.data());
  constexpr int degree = degree_of_places(c, dims);
  if constexpr (degree > 0)
    return f(PlaneLinks<int, int(Marks::none), degree>{entries, memory.pitch});
  else
    return f(ListLinks<int(Marks::none)>{static_cast<const int*>(memory.second.data()), entries});
}

// Memory for the contributions of all entities, of `places` per component.
struct ContributionMemory {
  Buffer buffer;
  Index places;
  int degree;
  template <class S>
  StoreContributions<S> as() const {
    return {static_cast<S*>(buffer.data()), places, degree};
  }
};
template <class K>
ContributionMemory contribution_memory(Backend& backend, const MeshArgs<K>& args) {
  const int degree = degree_of(K::around, args.dims());
  const Index places = Index(args.entities()) * degree;
  const std::size_t values = std::size_t(places) * std::size_t(scattered_components<K>(args.dims()));
  return {Buffer(backend, values * stored_bytes(args.precision)), places, degree};
}

// The interface of a kernel on meshes. The build writes one file per kernel that instantiates it
// (methods/mesh_methods.hpp), and one that instantiates its Kokkos part (kokkos/mesh_kokkos.hpp).
template <class K>
struct MeshKernel {
  using Args = MeshArgs<K>;
  static Methods<Args> methods(BackendKind);
  static MeshKernelDescription<Args> kernel();
};

template <class K>
struct KokkosMesh {
  static Methods<MeshArgs<K>> methods();
};

// Returns the space of a method with a layout of its lists and `more` settings.
inline TuningSpace mesh_space(Connection around, std::vector<Setting> more = {}) {
  const std::vector<Setting> links = link_settings(around);
  more.insert(more.end(), links.begin(), links.end());
  TuningSpace space{std::move(more)};
  space.require(link_problem);
  return space;
}

}  // namespace cfdmark
