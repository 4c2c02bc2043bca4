// A kernel is defined by its fields, each with a role (read, written, ...), and by the body of one cell. The
// generic parts are derived from this definition:
// - a plain method on each backend, which is the simplest implementation and the reference of speedups, and
//   further generated methods (kernels/cells/*/cells_*.hpp, cells.cuh);
// - the memory that a case allocates, the bytes that it moves, and its verification.
//
// NVRTC reads this file, so it includes no standard header.
//
//   struct Smoothing {
//     double s = 0.5;
//
//     template <class F>
//     struct Fields {
//       typename F::StencilIn u;
//       typename F::Out out;
//     };
//     static constexpr Fields<Names> names{"u", "out"};
//
//     template <class F>
//     CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
//       at.out = smoothed(at.u, typename F::Number(s));
//     }
//
//     static CellDescription<Smoothing> description();
//   };
//
// A field that is not cell-centred names its location after its name: names{"p", {"u", FieldPlace::face_x}}.
// The kernel runs over the locations of the first field that it writes, or of its last field if it writes
// none (CellArgs::grid).
//
// F is a representation of the fields: names, views, or values at one cell. The role of a field decides what
// the body sees:
//
//   In, OtherIn     a number; OtherIn for a field stored in a precision of its own
//   StencilIn          u(di, dj, dk): the value at that offset in cells, within the halo
//   Out             a value to assign
//   InOut           the old value, which can be assigned
//   StencilInOut     u(di, dj, dk) whose centre can be assigned
//   Operator        the coefficients of the cell's equation (stencil.hpp)
//
// F::Number is the arithmetic type. F::dims is the number of dimensions, 2 or 3, of a kernel that has an
// operator or reads neighbours; it is 0 for other kernels. Optional members:
//
//   using Reduction = SumOperation;
//       The body returns a number, or a Product {x, y}, whose x y is added by one multiply-add. The results
//       of all cells are reduced to one number (reduction_operations.hpp), which is stored where
//       CellArgs::result points.
//
//   K started() const
//       Returns the kernel with the coefficients that are in the backend's memory, read at this moment. A
//       method calls it each time a pass runs, not when it is prepared: on a host before the pass, on a
//       device in each thread.
//
//   int parts() const
//       Number of passes in a step; K part(int) const returns the kernel of each pass.
//
//   int first(int j, int k) const, K on(int parity) const
//       A pass updates every second cell of a row, starting at this index (0 or 1). A grid may be a part of a
//       larger domain; parity is then (i + j + k) mod 2 of its first cell, counted in the whole domain
//       (Grid::parity). on() returns the kernel that updates the same cells there as in the whole domain.
//
//   static constexpr int only_dims = 3;
//       The kernel runs on grids of this many dimensions only, 2 or 3 (default: both).
//
//   static constexpr int halo = 2;
//       Layers of ghosts that are read (default: 1).
//
//   static constexpr bool in_order = true;
//       Cells are updated in lexicographic order: along x first, then y, then z. Each cell reads the new
//       values of the cells before it.
//
//   static constexpr bool on_coarse_grids = true;
//       The operator may belong to a coarse grid of multigrid. Its last cells can lie nearer to the boundary
//       and then have other coefficients (EdgedStencil). Other kernels reject such an operator.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

enum class Role { in, other_in, stencil_in, out, in_out, stencil_in_out, op };

constexpr bool is_read(Role r) { return r != Role::out; }
constexpr bool is_written(Role r) { return r == Role::out || r == Role::in_out || r == Role::stencil_in_out; }

template <class K>
struct CellDescription;  // kernels/cells/cell_kernel.hpp

// A representation of fields: one type per role.
template <template <Role> class Of>
struct EachRole {
  using In = Of<Role::in>;
  using OtherIn = Of<Role::other_in>;
  using StencilIn = Of<Role::stencil_in>;
  using Out = Of<Role::out>;
  using InOut = Of<Role::in_out>;
  using StencilInOut = Of<Role::stencil_in_out>;
  using Operator = Of<Role::op>;
};

template <Role r>
struct FieldName {
  static constexpr Role role = r;
  const char* text;
  FieldPlace place;
  constexpr FieldName(const char* name, FieldPlace at = FieldPlace::cell) : text(name), place(at) {}
};
using Names = EachRole<FieldName>;

template <Role>
struct OneByte {
  char byte;
};
// Number of fields. In this representation each field is one byte, so the size is their number.
template <class K>
inline constexpr int field_count = int(sizeof(typename K::template Fields<EachRole<OneByte>>));

// Returns the fields in another representation: f(field) for each field. C++20 cannot unpack a struct whose
// number of members is a template parameter, hence one branch per number.
template <class K, class To, class From, class F>
CFDMARK_FUNCTION constexpr typename K::template Fields<To> mapped(From& from, const F& f) {
  constexpr int n = field_count<K>;
  static_assert(n <= 20, "mapped() knows kernels of up to twenty fields");
  if constexpr (n == 1) {
    auto& [a] = from;
    return {f(a)};
  } else if constexpr (n == 2) {
    auto& [a, b] = from;
    return {f(a), f(b)};
  } else if constexpr (n == 3) {
    auto& [a, b, c] = from;
    return {f(a), f(b), f(c)};
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = from;
    return {f(a), f(b), f(c), f(d)};
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = from;
    return {f(a), f(b), f(c), f(d), f(e)};
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, g] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g)};
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, g, h] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h)};
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, g, h, i] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i)};
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, g, h, i, j] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j)};
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, g, h, i, j, l] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l)};
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, g, h, i, j, l, m] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l), f(m)};
  } else if constexpr (n == 12) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l), f(m), f(o)};
  } else if constexpr (n == 13) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l), f(m), f(o), f(q)};
  } else if constexpr (n == 14) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q, r] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l), f(m), f(o), f(q), f(r)};
  } else if constexpr (n == 15) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q, r, s] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l), f(m), f(o), f(q), f(r), f(s)};
  } else if constexpr (n == 16) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q, r, s, t] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l), f(m), f(o), f(q), f(r), f(s), f(t)};
  } else if constexpr (n == 17) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q, r, s, t, u] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j),
            f(l), f(m), f(o), f(q), f(r), f(s), f(t), f(u)};
  } else if constexpr (n == 18) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q, r, s, t, u, v] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j),
            f(l), f(m), f(o), f(q), f(r), f(s), f(t), f(u), f(v)};
  } else if constexpr (n == 19) {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q, r, s, t, u, v, w] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l),
            f(m), f(o), f(q), f(r), f(s), f(t), f(u), f(v), f(w)};
  } else {
    auto& [a, b, c, d, e, g, h, i, j, l, m, o, q, r, s, t, u, v, w, x] = from;
    return {f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i), f(j), f(l),
            f(m), f(o), f(q), f(r), f(s), f(t), f(u), f(v), f(w), f(x)};
  }
}

// mapped() needs a value from f for each field, but for_each_field() has none. This class is that value: it
// converts to the one-byte placeholder of any role.
struct Visited {
  template <Role r>
  CFDMARK_FUNCTION constexpr operator OneByte<r>() const {
    return {};
  }
};
template <class F>
struct Visitor {
  const F& f;
  template <class Field>
  CFDMARK_FUNCTION constexpr Visited operator()(Field& field) const {
    f(field);
    return {};
  }
};
// Calls f with each field, in the order of the members.
template <class K, class Fields, class F>
CFDMARK_FUNCTION constexpr void for_each_field(Fields& fields, const F& f) {
  mapped<K, EachRole<OneByte>>(fields, Visitor<F>{f});
}

// Returns how many fields of a kernel have a role for which the predicate holds.
template <class K>
constexpr int fields_with(bool (*wanted)(Role)) {
  int n = 0;
  for_each_field<K>(K::names, [&](const auto& name) { n += wanted(name.role); });
  return n;
}
template <class K, Role role>
inline constexpr int fields_of_role = fields_with<K>([](Role r) { return r == role; });

template <class K>
inline constexpr bool has_operator = fields_of_role<K, Role::op> > 0;
template <class K>
inline constexpr bool has_neighbours =
    fields_of_role<K, Role::stencil_in> + fields_of_role<K, Role::stencil_in_out> > 0;
template <class K>
inline constexpr bool has_other_storage = fields_of_role<K, Role::other_in> > 0;
template <class K>
inline constexpr bool every_second_cell = requires(const K& k) {
  k.first(0, 0);
};
// Dimensions of the only grids that a kernel runs on; 0 for both.
template <class K>
inline constexpr int only_dims = [] {
  if constexpr (requires { K::only_dims; })
    return K::only_dims;
  else
    return 0;
}();
// Layers of ghosts of a kernel's fields: the most that its body may read (checked by recorded_reads.hpp).
template <class K>
inline constexpr int halo_of = [] {
  if constexpr (requires { K::halo; })
    return K::halo;
  else
    return 1;
}();
template <class K>
inline constexpr bool in_order = requires {
  requires K::in_order;
};

template <class K>
inline constexpr bool on_coarse_grids = requires {
  requires K::on_coarse_grids;
};

template <class K>
inline constexpr bool is_reduction = requires {
  typename K::Reduction;
};

template <class K>
inline constexpr bool starts = requires(const K& k) {
  k.started();
};

template <class K>
CFDMARK_FUNCTION K started(const K& kernel) {
  if constexpr (starts<K>)
    return kernel.started();
  else
    return kernel;
}

// A view that carries its field's role in its type.
template <Role r, class T>
struct RoleView : View<T> {
  CFDMARK_FUNCTION RoleView(const View<T>& view) : View<T>(view) {}
};

// The operator of a kernel that has none.
struct NoOperator {
  template <int dims, class I>
  CFDMARK_FUNCTION NoOperator at(I, int, int) const {
    return {};
  }
};

// Representation by views. S: stored type (X for OtherIn), C: arithmetic type, A: operator type.
template <class S, class C, class A, int dimensions, class X>
struct Views {
  using Stored = S;
  using OtherStored = X;
  using Number = C;
  static constexpr int dims = dimensions;
  using In = RoleView<Role::in, const S>;
  using OtherIn = RoleView<Role::other_in, const X>;
  using StencilIn = RoleView<Role::stencil_in, const S>;
  using Out = RoleView<Role::out, S>;
  using InOut = RoleView<Role::in_out, S>;
  using StencilInOut = RoleView<Role::stencil_in_out, S>;
  using Operator = A;
};

// Assigns to one value in memory.
template <class S, class C>
struct StoreRef {
  S* to;
  CFDMARK_FUNCTION void operator=(C value) const { *to = S(value); }
};
// Assigns to one value in memory and holds the old value. The old value is read at construction, before the
// first store of the cell, so the compiler can overlap this load with others.
template <class S, class C>
struct OldAndPlace {
  S* to;
  C old;
  CFDMARK_FUNCTION operator C() const { return old; }
  CFDMARK_FUNCTION void operator=(C value) const { *to = S(value); }
};

// Accesses the values around a cell in memory. Each call reads memory, so a call after an assignment sees the
// new value. Assignment sets the cell itself and needs a non-const T.
template <class T, class C>
struct Neighbours {
  T* cell;
  Index pitch, plane;
  CFDMARK_FUNCTION C operator()(int di, int dj, int dk = 0) const {
    return C(cell[di + dj * pitch + dk * plane]);
  }
  CFDMARK_FUNCTION void operator=(C value) const { *cell = T(value); }
};

// Representation by values at one cell. S: stored type, C: arithmetic type, A: coefficients of the operator,
// StencilU and UpdatedU: accessors for fields whose neighbours are read, without and with assignment.
template <class S, class C, int dimensions, class A, class StencilU, class UpdatedU>
struct AtCell {
  using Number = C;
  static constexpr int dims = dimensions;
  using In = C;
  using OtherIn = C;
  using StencilIn = StencilU;
  using Out = StoreRef<S, C>;
  using InOut = OldAndPlace<S, C>;
  using StencilInOut = UpdatedU;
  using Operator = A;
};
template <class V>
using CellCoefficients = decltype(typename V::Operator().template at<V::dims>(0, 0, 0));

// Maps views to the values at cell (i, j, k).
template <class V>
struct ToCell {
  using S = typename V::Stored;
  using C = typename V::Number;
  using Form = AtCell<S, C, V::dims, CellCoefficients<V>, Neighbours<const S, C>, Neighbours<S, C>>;
  int i, j, k;

  CFDMARK_FUNCTION C operator()(const RoleView<Role::in, const S>& v) const { return C(v(i, j, k)); }
  CFDMARK_FUNCTION C operator()(const RoleView<Role::other_in, const typename V::OtherStored>& v) const {
    return C(v(i, j, k));
  }
  CFDMARK_FUNCTION Neighbours<const S, C> operator()(const RoleView<Role::stencil_in, const S>& v) const {
    return {&v(i, j, k), v.pitch, v.plane};
  }
  CFDMARK_FUNCTION StoreRef<S, C> operator()(const RoleView<Role::out, S>& v) const { return {&v(i, j, k)}; }
  CFDMARK_FUNCTION OldAndPlace<S, C> operator()(const RoleView<Role::in_out, S>& v) const {
    return {&v(i, j, k), C(v(i, j, k))};
  }
  CFDMARK_FUNCTION Neighbours<S, C> operator()(const RoleView<Role::stencil_in_out, S>& v) const {
    return {&v(i, j, k), v.pitch, v.plane};
  }
  CFDMARK_FUNCTION auto operator()(const typename V::Operator& a) const {
    return a.template at<V::dims>(i, j, k);
  }
};

// Number of cells in each direction that a kernel runs over.
struct Cells {
  int nx, ny, nz;
};

// Applies the body to one cell of views in memory and returns its result.
template <class V, class K>
CFDMARK_FUNCTION auto sweep_cell(const K& kernel, const typename K::template Fields<V>& fields, int i, int j,
                                 int k) {
  return kernel(mapped<K, typename ToCell<V>::Form>(fields, ToCell<V>{i, j, k}));
}

}  // namespace cfdmark
