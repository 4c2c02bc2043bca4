// Adapts the cell body of a kernel (cells/cell.hpp) to the iteration patterns of Kokkos.
#pragma once

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/cells/kokkos/kokkos_staged.hpp"

namespace cfdmark {

// A field in a Kokkos view, with its role.
template <Role r, class T>
struct KokkosRole {
  KokkosField<T> values;
};

// Representation by Kokkos views of the fields in views V.
template <class V>
struct KokkosFields {
  using S = typename V::Stored;
  using In = KokkosRole<Role::in, const S>;
  using OtherIn = KokkosRole<Role::other_in, const typename V::OtherStored>;
  using StencilIn = KokkosRole<Role::stencil_in, const S>;
  using Out = KokkosRole<Role::out, S>;
  using InOut = KokkosRole<Role::in_out, S>;
  using StencilInOut = KokkosRole<Role::stencil_in_out, S>;
  using Operator = typename V::Operator;
};

// Reads around a cell of a field and assigns to that cell.
template <class S, class C>
struct KokkosUpdated : KokkosNeighbourhood<C, KokkosField<S>> {
  KOKKOS_FORCEINLINE_FUNCTION void operator=(C value) const { this->u(this->i, this->j, this->k) = S(value); }
};
// The same with neighbours read from a tile.
template <class S, class C>
struct KokkosStagedUpdated : KokkosNeighbourhood<C, KokkosStagedField<S>> {
  S* to;
  KOKKOS_FORCEINLINE_FUNCTION void operator=(C value) const { *to = S(value); }
};

template <class V>
struct ToKokkosCell {
  using S = typename V::Stored;
  using X = typename V::OtherStored;
  using C = typename V::Number;
  // An address with strides: multi-dimensional indices per field and neighbour would hide from compilers that
  // rows are contiguous if a kernel reads the neighbours of many fields.
  using StencilU = Neighbours<const S, C>;
  using Form = AtCell<S, C, V::dims, CellCoefficients<V>, StencilU, KokkosUpdated<S, C>>;
  KokkosIndex i, j, k;

  KOKKOS_FORCEINLINE_FUNCTION C operator()(const KokkosRole<Role::in, const S>& f) const {
    return C(f.values(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION C operator()(const KokkosRole<Role::other_in, const X>& f) const {
    return C(f.values(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION StencilU operator()(const KokkosRole<Role::stencil_in, const S>& f) const {
    return {&f.values(i, j, k), f.values.pitch(), f.values.plane()};
  }
  KOKKOS_FORCEINLINE_FUNCTION StoreRef<S, C> operator()(const KokkosRole<Role::out, S>& f) const {
    return {&f.values(i, j, k)};
  }
  KOKKOS_FORCEINLINE_FUNCTION OldAndPlace<S, C> operator()(const KokkosRole<Role::in_out, S>& f) const {
    return {&f.values(i, j, k), C(f.values(i, j, k))};
  }
  KOKKOS_FORCEINLINE_FUNCTION KokkosUpdated<S, C> operator()(
      const KokkosRole<Role::stencil_in_out, S>& f) const {
    return {{f.values, i, j, k}};
  }
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const typename V::Operator& a) const {
    return a.template at<V::dims>(i, int(j), int(k));
  }
};

// Reads the neighbours of the single field with neighbours from a tile, at position `in_tile`.
template <class V>
struct ToStagedCell : ToKokkosCell<V> {
  using S = typename V::Stored;
  using C = typename V::Number;
  using StencilU = KokkosNeighbourhood<C, KokkosStagedField<S>>;
  using Form = AtCell<S, C, V::dims, CellCoefficients<V>, StencilU, KokkosStagedUpdated<S, C>>;
  using ToKokkosCell<V>::operator();
  StencilU in_tile;

  KOKKOS_FORCEINLINE_FUNCTION StencilU operator()(const KokkosRole<Role::stencil_in, const S>&) const {
    return in_tile;
  }
  KOKKOS_FORCEINLINE_FUNCTION KokkosStagedUpdated<S, C> operator()(
      const KokkosRole<Role::stencil_in_out, S>& f) const {
    return {in_tile, &f.values(this->i, this->j, this->k)};
  }
};

// Finds the address of a cell of the field whose neighbours are read.
template <class S>
struct FindStaged {
  const S*& value;
  KokkosIndex i, j, k;
  template <Role r, class T>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const KokkosRole<r, T>& f) const {
    if constexpr (r == Role::stencil_in || r == Role::stencil_in_out) value = &f.values(i, j, k);
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const A&) const {}
};

// One pass of a kernel as a body for KokkosStagedTiles and, on a host, KokkosRows and KokkosTiles.
template <class K, class V>
struct KokkosCellBody {
  using Stored = typename V::Stored;
  using Computed = typename V::Number;
  using Fields = typename K::template Fields<KokkosFields<V>>;

  K kernel;
  Fields fields;

  KOKKOS_FORCEINLINE_FUNCTION bool takes(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    if constexpr (every_second_cell<K>)
      return ((i + kernel.first(int(j), int(k))) & 1) == 0;
    else
      return true;
  }
  KOKKOS_FORCEINLINE_FUNCTION auto cell(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    return ready()(mapped<K, typename ToKokkosCell<V>::Form>(fields, ToKokkosCell<V>{i, j, k}));
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    if (takes(i, j, k)) cell(i, j, k);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k,
                                              const typename ToStagedCell<V>::StencilU& around) const {
    if (takes(i, j, k))
      ready()(mapped<K, typename ToStagedCell<V>::Form>(fields, ToStagedCell<V>{{i, j, k}, around}));
  }

  // For staged tiles: u() returns the value to stage. stages() returns true if this team may read it: in a
  // pass over every second cell, other teams are writing theirs.
  KOKKOS_FORCEINLINE_FUNCTION Stored u(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    const Stored* value = nullptr;
    for_each_field<K>(fields, FindStaged<Stored>{value, i, j, k});
    return *value;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool stages(KokkosIndex i, KokkosIndex j, KokkosIndex k, bool own) const {
    return own || !every_second_cell<K> || !takes(i, j, k);
  }

  // For rows on a host. The cells of a pass are independent.
  void row(int j, int k, int nx) const {
    constexpr int step = every_second_cell<K> ? 2 : 1;
    KokkosIndex first = 0;
    if constexpr (every_second_cell<K>) first = kernel.first(j, k);
    CFDMARK_INDEPENDENT_ITERATIONS
    for (KokkosIndex i = first; i < nx; i += step) cell(i, j, k);
  }

 private:
  // On a host kokkos_started() has already read the coefficients.
  KOKKOS_FORCEINLINE_FUNCTION K ready() const {
    if constexpr (kokkos_on_host)
      return kernel;
    else
      return started(kernel);
  }
};

// The same for KokkosRows and KokkosTiles on a device, where plain views are faster than Kokkos views.
template <class K, class V>
struct KokkosColumnBody {
  K kernel;
  typename K::template Fields<V> fields;

  KOKKOS_FORCEINLINE_FUNCTION int first(int j, int k) const requires every_second_cell<K> {
    return kernel.first(j, k);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    sweep_cell<V>(started(kernel), fields, i, j, k);
  }
};

// Returns the kernel with coefficients read from memory. On a host, waits first, since they may still be in
// computation. On a device each cell reads them.
template <class K>
K kokkos_started(const K& kernel) {
  if constexpr (!kokkos_on_host) return kernel;
  if constexpr (starts<K>) Kokkos::fence();
  return started(kernel);
}

// Maps views to Kokkos views.
struct ToKokkosFields {
  template <Role r, class T>
  KokkosRole<r, T> operator()(const RoleView<r, T>& view) const {
    return {KokkosField<T>(view)};
  }
  template <class A>
  A operator()(const A& a) const {
    return a;
  }
};

}  // namespace cfdmark
