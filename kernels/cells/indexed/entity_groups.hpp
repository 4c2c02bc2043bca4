// The body of a kernel on a mesh at several entities at once: their lists and own values are loaded first,
// then the body reads the neighbours of all, then all results are stored. No store lies between the loads, so
// that all are in flight together. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"
#include "kernels/cells/indexed/link_groups.hpp"

namespace cfdmark {

// Values of a field at `length` entities in registers: component d of entity k at d * length + k.
template <class Values, class S, int components, int length>
struct HeldField {
  Values memory;
  S value[components * length];
};

// Representation by held values. Values of neighbours stay in memory.
template <class V, int length>
struct HeldFields {
  using S = typename V::Stored;
  static constexpr int dims = V::dims;
  template <int n = 1>
  using In = HeldField<typename V::template In<n>, S, n, length>;
  template <int n = 1>
  using Out = HeldField<typename V::template Out<n>, S, n, length>;
  template <int n = 1>
  using InOut = HeldField<typename V::template InOut<n>, S, n, length>;
  template <int n = 1>
  using Gather = typename V::template Gather<n>;
  template <int n = 1>
  using Scatter = typename V::template Scatter<n>;
};

// Representation by views of held values, as AtEntity expects them.
template <class V>
struct HeldViews {
  using Stored = typename V::Stored;
  using Number = typename V::Number;
  static constexpr int dims = V::dims;
  template <int n = 1>
  using In = MeshValues<MeshRole::in, const Stored, n, false>;
  template <int n = 1>
  using Out = MeshValues<MeshRole::out, Stored, n, false>;
  template <int n = 1>
  using InOut = MeshValues<MeshRole::in_out, Stored, n, false>;
  template <int n = 1>
  using Gather = typename V::template Gather<n>;
  template <int n = 1>
  using Scatter = typename V::template Scatter<n>;
};

// Maps values in memory to held ones and loads those that the body reads.
template <class V, int length, int stride, CacheHint hint>
struct HoldEntities {
  using S = typename V::Stored;
  int first;

  template <MeshRole role, class T, int n, bool packed>
  CFDMARK_FUNCTION auto operator()(const MeshValues<role, T, n, packed>& from) const {
    if constexpr (role == MeshRole::gather) {
      return from;
    } else {
      HeldField<MeshValues<role, T, n, packed>, S, n, length> held{from, {}};
      if constexpr (role == MeshRole::in || role == MeshRole::in_out) load(from, held.value);
      return held;
    }
  }

 private:
  template <class T, MeshRole role, int n, bool packed>
  CFDMARK_FUNCTION void load(const MeshValues<role, T, n, packed>& from, S* to) const {
    // A value that is stored again is not read by a load that the compiler may move behind the store.
    constexpr CacheHint its_hint = role == MeshRole::in ? hint : CacheHint::usual;
    for_each_part<length, stride>(first, [&]<int part>(GroupPart<part>, int e, int k) {
      if constexpr (n > 1 && packed) {
        constexpr int width = packed_width(n);
        S run[part * width];
        load_run<part * width, its_hint, S>(&from.at(e), run);
        for_each_number<0, n>([&](int d) {
          for_each_number<0, part>([&](int m) { to[d * length + k + m] = run[m * width + d]; });
        });
      } else {
        for_each_number<0, n>(
            [&](int d) { load_run<part, its_hint, S>(&from.at(e, d), to + d * length + k); });
      }
    });
  }
};

struct ViewHeld {
  template <MeshRole role, class T, int n, bool packed, class S, int length>
  CFDMARK_FUNCTION auto operator()(HeldField<MeshValues<role, T, n, packed>, S, n, length>& held) const {
    return MeshValues<role, T, n, false>{held.value, length};
  }
  template <class T, int n, bool packed>
  CFDMARK_FUNCTION auto operator()(const MeshValues<MeshRole::gather, T, n, packed>& values) const {
    return values;
  }
};

// Stores held results.
template <int stride, CacheHint hint>
struct StoreHeld {
  int first;

  template <MeshRole role, class T, int n, bool packed, class S, int length>
  CFDMARK_FUNCTION void operator()(
      const HeldField<MeshValues<role, T, n, packed>, S, n, length>& held) const {
    if constexpr (is_written(role))
      for_each_part<length, stride>(first, [&]<int part>(GroupPart<part>, int e, int k) {
        constexpr int width = packed_width(n);
        if constexpr (n > 1 && packed && width == n) {
          S run[part * n];
          for_each_number<0, n>([&](int d) {
            for_each_number<0, part>([&](int m) { run[m * n + d] = held.value[d * length + k + m]; });
          });
          store_run<part * n, hint, S>(&held.memory.at(e), run);
        } else if constexpr (n > 1 && packed) {  // padding keeps its contents
          for_each_number<0, part>([&](int m) {
            for_each_number<0, n>([&](int d) { held.memory.at(e + m, d) = held.value[d * length + k + m]; });
          });
        } else {
          for_each_number<0, n>(
              [&](int d) { store_run<part, hint, S>(&held.memory.at(e, d), held.value + d * length + k); });
        }
      });
  }
  template <class Other>
  CFDMARK_FUNCTION void operator()(const Other&) const {}
};

// Applies the body to `length` entities from `first` on, `stride` apart. If they are consecutive, `first` is
// a multiple of `length`, and fields start at multiples of 16 bytes.
template <int length, int stride, CacheHint hint, class V, class K, class Lists>
CFDMARK_FUNCTION void sweep_group(const K& kernel, const typename K::template Fields<V>& fields,
                                  const Lists& lists, int first) {
  static_assert(!scatters<K> && !at_boundary_only<K>);
  const auto links = link_group<length, stride, hint>(lists, first);
  auto held = mapped<K, HeldFields<V, length>>(fields, HoldEntities<V, length, stride, hint>{first});
  const auto views = mapped<K, HeldViews<V>>(held, ViewHeld{});
  using To = ToEntity<HeldViews<V>, typename decltype(links)::List, NoSinks>;
  for_each_number<0, length>([&](int k) {
    kernel(mapped<K, typename To::Form>(views, To{links.at(k), {}, k}));
  });
  for_each_mesh_field<K>(held, StoreHeld<stride, hint>{first});
}

}  // namespace cfdmark
