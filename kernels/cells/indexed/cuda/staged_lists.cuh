// Lists that differ in length, read by a block together: its threads load the entries of all its entities and
// the values there side by side, and pass them on through shared memory. A thread by itself would load its
// list entry by entry. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/link_groups.hpp"
#include "kernels/cells/indexed/scatter.hpp"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"

namespace cfdmark {

// Reads at the neighbours of one entity; oriented values are in shared memory.
template <class C, class S, class Values, class Row>
struct StagedGather {
  Values values;
  Row links;
  const S* staged;
  CFDMARK_FUNCTION C operator()(int n) const { return C(values.at(links.index(n))); }
  CFDMARK_FUNCTION C oriented(int n) const { return C(staged[n]); }
  CFDMARK_FUNCTION bool exists(int n) const { return links.exists(n); }
};
template <class V, class Row>
struct AtStagedEntity : AtEntity<V, Row, NoSinks> {
  template <int n = 1>
  using Gather = StagedGather<typename V::Number, typename V::Stored, typename V::template Gather<n>, Row>;
};
template <class V, class Row>
struct ToStagedEntity {
  ToEntity<V, Row, NoSinks> own;
  const typename V::Stored* staged;

  template <MeshRole role, class T, int n, bool packed>
  CFDMARK_FUNCTION auto operator()(const MeshValues<role, T, n, packed>& v) const {
    if constexpr (role == MeshRole::gather)
      return StagedGather<typename V::Number, typename V::Stored, MeshValues<role, T, n, packed>, Row>{
          v, own.links, staged};
    else
      return own(v);
  }
};

// Calls f(values) with the field that a kernel gathers.
template <class F>
struct GatherVisitor {
  const F& f;
  template <class T, int n, bool packed>
  CFDMARK_FUNCTION void operator()(const MeshValues<MeshRole::gather, T, n, packed>& values) const {
    f(values);
  }
  template <class Field>
  CFDMARK_FUNCTION void operator()(const Field&) const {}
};

// Stores the oriented values at entries from .. to - 1 in shared memory. A thread has `at_once` loads in
// flight.
template <int at_once, CacheHint hint, class V, int marks, class Values>
__device__ __forceinline__ void stage_values(const ListLinks<marks>& lists, const Values& values, int from,
                                             int to, typename V::Stored* staged) {
  using C = typename V::Number;
  const int threads = int(blockDim.x);
  for (int i = from + int(threadIdx.x); i < to; i += at_once * threads) {
    int entries[at_once];
    typename V::Stored value[at_once];
    for_each_number<0, at_once>([&](int m) {  // beyond the end: the last entry again
      load_run<1, hint>(lists.entries + min(i + m * threads, to - 1), entries + m);
    });
    for_each_number<0, at_once>([&](int m) {
      const NeighbourList<HeldRow<int, 1>, Marks(marks)> here{{{entries[m]}}};
      value[m] = here.oriented(0, C(values.at(here.index(0))));
    });
    for_each_number<0, at_once>([&](int m) {
      if (i + m * threads < to) staged[i + m * threads - from] = value[m];
    });
  }
}

// Method `plain` with list_reads=block: `length` entities a thread. A block's entries fit into its shared
// memory.
template <class K, class V, class Lists, int length, int streaming, int most_threads>
__global__ void __launch_bounds__(most_threads)
    entities_staged(K kernel, typename K::template Fields<V> fields, Lists lists, int entities) {
  constexpr CacheHint hint = streaming ? CacheHint::streaming : CacheHint::usual;
  constexpr int usual_entries = 7;  // most nodes of a plane mesh have six faces, most edges five
  using Row = decltype(lists.at(0));
  const int threads = int(blockDim.x), first = int(blockIdx.x) * threads * length;
  const int end = min(first + threads * length, entities);
  const int from = lists.begin[first], to = lists.begin[end];
  auto* const staged = dynamic_shared<typename V::Stored>();
  int begin[length] = {}, count[length] = {};
  for_each_number<0, length>([&](int k) {
    const int e = first + k * threads + int(threadIdx.x);
    if (e < end) begin[k] = lists.begin[e], count[k] = lists.begin[e + 1] - begin[k];
  });
  const auto stage = [&](const auto& values) {
    stage_values<usual_entries * length, hint, V>(lists, values, from, to, staged);
  };
  for_each_mesh_field<K>(fields, GatherVisitor<decltype(stage)>{stage});
  __syncthreads();
  using To = ToStagedEntity<V, Row>;
  for_each_number<0, length>([&](int k) {
    const int e = first + k * threads + int(threadIdx.x);
    const Row links{{lists.entries + begin[k], count[k]}};
    if (e < end)
      kernel(mapped<K, AtStagedEntity<V, Row>>(fields, To{{links, {}, e}, staged + (begin[k] - from)}));
  });
}

}  // namespace cfdmark
