// What a kernel says of itself, once: its fields by role, and the body of one cell. From it follow the plain
// methods of all backends (kernels/backends/cells_*.hpp, cells.cuh), what a case allocates, what it moves,
// and how it is checked. NVRTC reads this file: no standard header here.
//
//   struct Smoothing {
//     double s = 0.5;
//
//     template <class F>
//     struct Fields {
//       typename F::Around u;
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
// Where the values of a field do not lie in the cells, its place stands behind its name:
// names{"p", {"u", FieldPlace::face_x}}. A sweep goes over the places of the field that is written.
//
// F is the form of the fields: names, views, values at a cell. To the body a field is, by its role,
//
//   In, OtherIn     a number; OtherIn of a field that is stored in a precision of its own
//   Around          u(di, dj, dk), the number so many cells away, anywhere within the halo
//   Out             what is assigned to
//   InOut           a number, as it was before, that is assigned to
//   InOutAround     u(di, dj, dk) that is assigned to
//   Operator        the coefficients of the cell's equation (stencil.hpp)
//
// F::Number is the type to compute with, F::dims is 2 or 3 where there are neighbours. A kernel may also have
//
//   using JoinedBy = SumOperation;
//       the body returns a number, or a Product, and those of all cells are joined to one
//       (reduction_operations.hpp), which goes where CellArgs::result says
//
//   K started() const
//       what it is once a sweep begins: coefficients that only memory knows are read here
//
//   int parts() const
//       so many sweeps make a step: part(0), part(1), .. by K part(int) const
//
//   int first(int j, int k) const, K on(int parity) const
//       a sweep takes every second cell of a row, from this one (0 or 1) on; on() is the same kernel for a
//       grid whose first cell has this parity in the whole domain
//
//   static constexpr int halo = 2;
//       so many layers of ghosts are read, where it is not one
//
//   static constexpr bool in_order = true;
//       each cell sees the new values of the cells before it
//
//   static constexpr bool on_coarse_grids = true;
//       its operator may be that of one of multigrid's coarse grids (EdgedStencil)
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

enum class Role { in, other_in, around, out, in_out, in_out_around, op };

constexpr bool is_read(Role r) { return r != Role::out; }
constexpr bool is_written(Role r) { return r == Role::out || r == Role::in_out || r == Role::in_out_around; }

template <class K>
struct CellDescription;  // kernels/backends/cell_kernel.hpp

// A form of fields: a type for each role.
template <template <Role> class Of>
struct EachRole {
  using In = Of<Role::in>;
  using OtherIn = Of<Role::other_in>;
  using Around = Of<Role::around>;
  using Out = Of<Role::out>;
  using InOut = Of<Role::in_out>;
  using InOutAround = Of<Role::in_out_around>;
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
template <class K>
inline constexpr int field_count = int(sizeof(typename K::template Fields<EachRole<OneByte>>));

// The fields in another form: each is what f makes of it. Structured bindings need the number of members in
// so many words.
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

// f of each field, in the order of the members.
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
template <class K, class Fields, class F>
CFDMARK_FUNCTION constexpr void for_each_field(Fields& fields, const F& f) {
  mapped<K, EachRole<OneByte>>(fields, Visitor<F>{f});
}

// How many fields of a kernel have one of these roles.
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
    fields_of_role<K, Role::around> + fields_of_role<K, Role::in_out_around> > 0;
template <class K>
inline constexpr bool has_other_storage = fields_of_role<K, Role::other_in> > 0;
template <class K>
inline constexpr bool every_second_cell = requires(const K& k) {
  k.first(0, 0);
};
// Layers of ghosts that a kernel reads.
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
inline constexpr bool joins = requires {
  typename K::JoinedBy;
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

// A view that knows its field's role.
template <Role r, class T>
struct RoleView : View<T> {
  CFDMARK_FUNCTION RoleView(const View<T>& view) : View<T>(view) {}
};

// Where there is no operator.
struct NoOperator {
  template <int dims, class I>
  CFDMARK_FUNCTION NoOperator at(I, int, int) const {
    return {};
  }
};

// Views of fields stored as S (OtherIn: as X), to compute with in C, with an operator of type A.
template <class S, class C, class A, int dimensions, class X>
struct Views {
  using Stored = S;
  using OtherStored = X;
  using Number = C;
  static constexpr int dims = dimensions;
  using In = RoleView<Role::in, const S>;
  using OtherIn = RoleView<Role::other_in, const X>;
  using Around = RoleView<Role::around, const S>;
  using Out = RoleView<Role::out, S>;
  using InOut = RoleView<Role::in_out, S>;
  using InOutAround = RoleView<Role::in_out_around, S>;
  using Operator = A;
};

// A place in memory for a number.
template <class S, class C>
struct Place {
  S* to;
  CFDMARK_FUNCTION void operator=(C value) const { *to = S(value); }
};
// With the number that stood there. It is read at once, so that no store stands between the loads of several
// fields.
template <class S, class C>
struct OldAndPlace {
  S* to;
  C old;
  CFDMARK_FUNCTION operator C() const { return old; }
  CFDMARK_FUNCTION void operator=(C value) const { *to = S(value); }
};

// The numbers around a cell in memory; one that is assigned to, unless T is const.
template <class T, class C>
struct Neighbours {
  T* cell;
  Index pitch, plane;
  CFDMARK_FUNCTION C operator()(int di, int dj, int dk = 0) const {
    return C(cell[di + dj * pitch + dk * plane]);
  }
  CFDMARK_FUNCTION void operator=(C value) const { *cell = T(value); }
};

// A form: fields stored as S at a cell, with what stands for the operator's coefficients and for neighbours
// that are read, and read and assigned to.
template <class S, class C, int dimensions, class A, class AroundU, class UpdatedU>
struct AtCell {
  using Number = C;
  static constexpr int dims = dimensions;
  using In = C;
  using OtherIn = C;
  using Around = AroundU;
  using Out = Place<S, C>;
  using InOut = OldAndPlace<S, C>;
  using InOutAround = UpdatedU;
  using Operator = A;
};
template <class V>
using CellCoefficients = decltype(typename V::Operator().template at<V::dims>(0, 0, 0));

// From views to the cell (i, j, k) of memory.
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
  CFDMARK_FUNCTION Neighbours<const S, C> operator()(const RoleView<Role::around, const S>& v) const {
    return {&v(i, j, k), v.pitch, v.plane};
  }
  CFDMARK_FUNCTION Place<S, C> operator()(const RoleView<Role::out, S>& v) const { return {&v(i, j, k)}; }
  CFDMARK_FUNCTION OldAndPlace<S, C> operator()(const RoleView<Role::in_out, S>& v) const {
    return {&v(i, j, k), C(v(i, j, k))};
  }
  CFDMARK_FUNCTION Neighbours<S, C> operator()(const RoleView<Role::in_out_around, S>& v) const {
    return {&v(i, j, k), v.pitch, v.plane};
  }
  CFDMARK_FUNCTION auto operator()(const typename V::Operator& a) const {
    return a.template at<V::dims>(i, j, k);
  }
};

// The cells that a sweep goes over.
struct Cells {
  int nx, ny, nz;
};

// The body on one cell of views in memory, and what it returns.
template <class V, class K>
CFDMARK_FUNCTION auto sweep_cell(const K& kernel, const typename K::template Fields<V>& fields, int i, int j,
                                 int k) {
  return kernel(mapped<K, typename ToCell<V>::Form>(fields, ToCell<V>{i, j, k}));
}

}  // namespace cfdmark
