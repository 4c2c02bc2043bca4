// A kernel on an unstructured mesh is defined by its fields, each with a role, and by the body of one entity.
// Methods of every backend follow from it, as from the bodies on structured grids (cells/cell.hpp). The body
// does not see how the lists of neighbours are stored: their layout is a setting (links.hpp).
//
// NVRTC reads this file, so it includes no standard header.
//
//   struct MeshDivergence {
//     static constexpr Connection around = Connection::cell_faces;
//
//     template <class F>
//     struct Fields {
//       typename F::template Gather<> u;
//       typename F::template Out<> d;
//     };
//     static constexpr Fields<MeshNames> names{"u", "d"};
//
//     template <class F>
//     CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
//       typename F::Number sum = 0;
//       for_each_link(at.u.links, [&](int n) { sum = sum + at.u.oriented(n); });
//       at.d = sum;
//     }
//
//     static MeshDescription<MeshDivergence> description();
//   };
//
// The kernel runs over the entities that have the lists: here over cells, whose neighbours are faces.
// F is a representation of the fields. The template argument of a role is the number of components: 1, the
// default, or F::dims, or another number.
//
//   In        a number at the entity; x(d) is component d
//   Out       a value to assign; set(d, value) assigns component d
//   InOut     the old value, which can be assigned
//   Gather    u(n), u(n, d): a value at neighbour n. u.oriented(n): the same, negated if the neighbour is
//             reversed; u.exists(n): false where there is none; u.links: for for_each_link()
//   Scatter   r.add(n, value), r.add(n, d, value): adds to the value at neighbour n, which must exist;
//             r.exists(n)
//
// F::Number is the arithmetic type, F::dims the number of dimensions. Optional members:
//
//   static constexpr bool at_boundary_only = true;
//       Of kernels around face_cells: only faces without a second cell are updated.
//
//   using Scattering = ...;
//       A kernel with the same fields whose body scatters and which computes the same; methods that scatter
//       follow from it.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/cells/indexed/links.hpp"

namespace cfdmark {

enum class MeshRole { in, out, in_out, gather, scatter };
constexpr bool is_written(MeshRole r) {
  return r == MeshRole::out || r == MeshRole::in_out || r == MeshRole::scatter;
}
constexpr bool is_at_neighbours(MeshRole r) { return r == MeshRole::gather || r == MeshRole::scatter; }

// Contents of an input field in a timed problem: noise; a quantity of the mesh; 1 for a face of the boundary
// and 0 for others; or density, three momenta and energy of a gas at positive pressure.
enum class MeshValue { noise, centre, area, volume, boundary_flag, gas_state };

template <class K>
struct MeshDescription;  // mesh_kernel.hpp

// A representation of fields: one type per role and number of components.
template <int dimensions, template <MeshRole, int components> class Of>
struct EachMeshRole {
  static constexpr int dims = dimensions;
  template <int n = 1>
  using In = Of<MeshRole::in, n>;
  template <int n = 1>
  using Out = Of<MeshRole::out, n>;
  template <int n = 1>
  using InOut = Of<MeshRole::in_out, n>;
  template <int n = 1>
  using Gather = Of<MeshRole::gather, n>;
  template <int n = 1>
  using Scatter = Of<MeshRole::scatter, n>;
};

// components: 0 for one per dimension of the mesh.
template <MeshRole r, int n>
struct MeshFieldName {
  static constexpr MeshRole role = r;
  static constexpr int components = n;
  const char* text;
  MeshValue value;
  constexpr MeshFieldName(const char* name, MeshValue of = MeshValue::noise) : text(name), value(of) {}
  static constexpr int components_in(int dims) { return n == 0 ? dims : n; }
};
using MeshNames = EachMeshRole<0, MeshFieldName>;

template <MeshRole, int>
struct MeshByte {
  char byte;
};
using MeshBytes = EachMeshRole<0, MeshByte>;

template <class K>
concept IsMeshKernel = requires {
  K::around;
};
template <class K>
requires IsMeshKernel<K>
inline constexpr int field_count<K> = int(sizeof(typename K::template Fields<MeshBytes>));

// Calls f with each field, in the order of the members.
struct MeshVisited {
  template <MeshRole r, int n>
  CFDMARK_FUNCTION constexpr operator MeshByte<r, n>() const {
    return {};
  }
};
template <class F>
struct MeshVisitor {
  const F& f;
  template <class Field>
  CFDMARK_FUNCTION constexpr MeshVisited operator()(Field& field) const {
    f(field);
    return {};
  }
};
template <class K, class Fields, class F>
CFDMARK_FUNCTION constexpr void for_each_mesh_field(Fields& fields, const F& f) {
  mapped<K, MeshBytes>(fields, MeshVisitor<F>{f});
}

// Returns how many fields of a kernel have a role and number of components for which the predicate holds.
template <class K>
constexpr int mesh_fields_with(bool (*wanted)(MeshRole, int components)) {
  int count = 0;
  for_each_mesh_field<K>(K::names, [&](const auto& name) { count += wanted(name.role, name.components); });
  return count;
}
template <class K>
inline constexpr bool scatters = mesh_fields_with<K>([](MeshRole r, int) { return r == MeshRole::scatter; }) >
                                 0;
template <class K>
inline constexpr bool has_vectors = mesh_fields_with<K>([](MeshRole, int n) { return n != 1; }) > 0;

template <class K>
inline constexpr bool at_boundary_only = requires {
  requires K::at_boundary_only;
};

// Values between those of neighbouring entities, if the components of a vector are packed: three are filled
// up to four.
constexpr int packed_width(int components) { return components == 3 ? 4 : components; }

// Values of a field on a mesh in memory, with its role. packed: the components of an entity are next to each
// other; otherwise each component has a plane of `pitch` values.
template <MeshRole role, class T, int components, bool packed>
struct MeshValues {
  T* origin;
  Index pitch;

  template <class I>
  CFDMARK_FUNCTION T& at(I e, int d = 0) const {
    if constexpr (components == 1)
      return origin[e];
    else if constexpr (packed)
      return origin[Index(e) * packed_width(components) + d];
    else
      return origin[d * pitch + e];
  }
};

// Representation by values in memory. S: stored type, C: arithmetic type.
template <class S, class C, int dimensions, bool packed>
struct MeshViews {
  using Stored = S;
  using Number = C;
  static constexpr int dims = dimensions;
  template <int n = 1>
  using In = MeshValues<MeshRole::in, const S, n, packed>;
  template <int n = 1>
  using Out = MeshValues<MeshRole::out, S, n, packed>;
  template <int n = 1>
  using InOut = MeshValues<MeshRole::in_out, S, n, packed>;
  template <int n = 1>
  using Gather = MeshValues<MeshRole::gather, const S, n, packed>;
  template <int n = 1>
  using Scatter = MeshValues<MeshRole::scatter, S, n, packed>;
};

// Reads and assigns the components at one entity.
template <class C, class Values>
struct VectorAt {
  Values values;
  int e;
  CFDMARK_FUNCTION C operator()(int d) const { return C(values.at(e, d)); }
};
template <class S, class C, class Values>
struct VectorPlace {
  Values values;
  int e;
  CFDMARK_FUNCTION void set(int d, C value) const { values.at(e, d) = S(value); }
};

// Reads at the neighbours of one entity.
template <class C, class Values, class Row>
struct Gathered {
  Values values;
  Row links;
  CFDMARK_FUNCTION C operator()(int n, int d = 0) const { return C(values.at(links.index(n), d)); }
  CFDMARK_FUNCTION C oriented(int n, int d = 0) const { return links.oriented(n, (*this)(n, d)); }
  CFDMARK_FUNCTION bool exists(int n) const { return links.exists(n); }
};

template <bool scalar, class Scalar, class Vector>
struct ScalarOrVectorType {
  using Type = Scalar;
};
template <class Scalar, class Vector>
struct ScalarOrVectorType<false, Scalar, Vector> {
  using Type = Vector;
};
template <bool scalar, class Scalar, class Vector>
using ScalarOrVector = typename ScalarOrVectorType<scalar, Scalar, Vector>::Type;

// Where a body without a Scatter field adds: nowhere.
struct NoSinks {
  template <class V, int n, class Row>
  struct Sink {};
};

// Representation by values at one entity. V: a MeshViews; Row: the entity's NeighbourList; Sinks: a type
// whose member Sink<V, n, Row> accepts what the body adds at neighbours.
template <class V, class Row, class Sinks>
struct AtEntity {
  using S = typename V::Stored;
  using C = typename V::Number;
  using Number = C;
  static constexpr int dims = V::dims;
  template <int n = 1>
  using In = ScalarOrVector<n == 1, C, VectorAt<C, typename V::template In<n>>>;
  template <int n = 1>
  using Out = ScalarOrVector<n == 1, StoreRef<S, C>, VectorPlace<S, C, typename V::template Out<n>>>;
  template <int n = 1>
  using InOut = OldAndPlace<S, C>;
  template <int n = 1>
  using Gather = Gathered<C, typename V::template Gather<n>, Row>;
  template <int n = 1>
  using Scatter = typename Sinks::template Sink<V, n, Row>;
};

// Maps values in memory to those at entity e.
template <class V, class Row, class Sinks>
struct ToEntity {
  using S = typename V::Stored;
  using C = typename V::Number;
  using Form = AtEntity<V, Row, Sinks>;
  Row links;
  Sinks sinks;
  int e;

  template <int n, bool packed>
  CFDMARK_FUNCTION auto operator()(const MeshValues<MeshRole::in, const S, n, packed>& v) const {
    if constexpr (n == 1)
      return C(v.at(e));
    else
      return VectorAt<C, MeshValues<MeshRole::in, const S, n, packed>>{v, e};
  }
  template <int n, bool packed>
  CFDMARK_FUNCTION auto operator()(const MeshValues<MeshRole::out, S, n, packed>& v) const {
    if constexpr (n == 1)
      return StoreRef<S, C>{&v.at(e)};
    else
      return VectorPlace<S, C, MeshValues<MeshRole::out, S, n, packed>>{v, e};
  }
  template <bool packed>
  CFDMARK_FUNCTION OldAndPlace<S, C> operator()(const MeshValues<MeshRole::in_out, S, 1, packed>& v) const {
    return {&v.at(e), C(v.at(e))};
  }
  template <int n, bool packed>
  CFDMARK_FUNCTION auto operator()(const MeshValues<MeshRole::gather, const S, n, packed>& v) const {
    return Gathered<C, MeshValues<MeshRole::gather, const S, n, packed>, Row>{v, links};
  }
  template <int n, bool packed>
  CFDMARK_FUNCTION auto operator()(const MeshValues<MeshRole::scatter, S, n, packed>& v) const {
    return sinks.template sink<V, n>(v, links, e);
  }
};

// Applies the body to entity e of values in memory. `lists` is a table of links.hpp.
template <class V, class K, class Lists, class Sinks = NoSinks>
CFDMARK_FUNCTION void sweep_entity(const K& kernel, const typename K::template Fields<V>& fields,
                                   const Lists& lists, int e, const Sinks& sinks = {}) {
  const auto links = lists.at(e);
  using To = ToEntity<V, decltype(lists.at(e)), Sinks>;
  kernel(mapped<K, typename To::Form>(fields, To{links, sinks, e}));
}

// The same, unless the kernel does not update this entity.
template <class V, class K, class Lists>
CFDMARK_FUNCTION void sweep_entity_if_updated(const K& kernel, const typename K::template Fields<V>& fields,
                                              const Lists& lists, int e) {
  if constexpr (at_boundary_only<K>)
    if (lists.at(e).exists(1)) return;
  sweep_entity<V>(kernel, fields, lists, e);
}

}  // namespace cfdmark
