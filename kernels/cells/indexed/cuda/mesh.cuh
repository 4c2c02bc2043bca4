// Device code of the CUDA methods that follow from the body of a kernel on a mesh (indexed_cell.hpp). NVRTC
// reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/cuda/staged_lists.cuh"
#include "kernels/cells/indexed/entity_groups.hpp"
#include "kernels/cells/indexed/scatter.hpp"

namespace cfdmark {

__device__ __forceinline__ int thread_of_launch() {
  return int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
}

// Method `plain`: one thread per group of `length` entities, `stride` apart: 1, or `stride` consecutive
// threads share length * stride consecutive entities. streaming: 1 if data that is used once has a hint for
// the caches.
template <class K, class V, class Lists, int length, int stride, int streaming, int most_threads>
__global__ void __launch_bounds__(most_threads)
    entities_grouped(K kernel, typename K::template Fields<V> fields, Lists lists, int entities) {
  constexpr CacheHint hint = streaming ? CacheHint::streaming : CacheHint::usual;
  const int thread = thread_of_launch(), lane = thread % stride;
  const int first = (thread - lane) * length + lane;
  if (first + (length - 1) * stride < entities)
    sweep_group<length, stride, hint, V>(kernel, fields, lists, first);
  else  // the last entities do not fill a group
    for (int e = first; e < entities; e += stride) sweep_entity<V>(kernel, fields, lists, e);
}

// Method `plain` of a kernel that updates only faces of the boundary: one thread per face.
template <class K, class V, class Lists, int most_threads>
__global__ void __launch_bounds__(most_threads)
    entities_plain(K kernel, typename K::template Fields<V> fields, Lists lists, int entities) {
  const int e = thread_of_launch();
  if (e < entities) sweep_entity_if_updated<V>(kernel, fields, lists, e);
}

// Method `list`: one thread per listed entity.
template <class K, class V, class Lists, int most_threads>
__global__ void __launch_bounds__(most_threads)
    entities_listed(K kernel, typename K::template Fields<V> fields, Lists lists, const int* list,
                    int count) {
  const int i = thread_of_launch();
  if (i < count) sweep_entity<V>(kernel, fields, lists, list[i]);
}

// Methods that scatter (scatter.hpp).

struct AtomicAdder {
  template <class C, class S>
  __device__ __forceinline__ static void add(S* to, C value) {
    atomicAdd(to, S(value));
  }
};

// Method `atomic`: one thread per entity adds to all neighbours.
template <class K, class V, class Lists, int most_threads>
__global__ void __launch_bounds__(most_threads)
    add_atomically(K kernel, typename K::template Fields<V> fields, Lists lists, int entities) {
  const int e = thread_of_launch();
  if (e < entities) sweep_entity<V>(kernel, fields, lists, e, AddToMemory<AtomicAdder>());
}

// Method `coloured`: one launch per colour; no two of its entities share a neighbour.
template <class K, class V, class Lists, int most_threads>
__global__ void __launch_bounds__(most_threads)
    add_colour(K kernel, typename K::template Fields<V> fields, Lists lists, const int* order, int entities) {
  const int i = thread_of_launch();
  if (i < entities) sweep_entity<V>(kernel, fields, lists, order[i], AddToMemory<PlainAdder>());
}

// Method `replicated`: contributions to memory of their own, then their sums.
template <class K, class V, class Lists, class Contributions, int most_threads>
__global__ void __launch_bounds__(most_threads)
    store_contributions(K kernel, typename K::template Fields<V> fields, Lists lists, Contributions to,
                        int entities) {
  const int e = thread_of_launch();
  if (e < entities) sweep_entity<V>(kernel, fields, lists, e, to);
}
template <class K, class V, class Contributions, class Places, int most_threads>
__global__ void __launch_bounds__(most_threads)
    add_stored(typename K::template Fields<V> fields, Contributions from, Places places, int neighbours) {
  const int to = thread_of_launch();
  if (to < neighbours) sum_contributions<V, K>(fields, from, places, to);
}

// Method `plain` of a kernel that scatters: one thread per neighbour computes all that it gets.
template <class K, class V, class Lists, class Places, int most_threads>
__global__ void __launch_bounds__(most_threads)
    add_recomputed(K kernel, typename K::template Fields<V> fields, Lists lists, Places places,
                   int neighbours) {
  const int to = thread_of_launch();
  if (to < neighbours) recompute_contributions<V>(kernel, fields, lists, places, to);
}

template <class K, class V, int most_threads>
__global__ void __launch_bounds__(most_threads)
    clear_neighbours(typename K::template Fields<V> fields, int neighbours) {
  const int to = thread_of_launch();
  if (to < neighbours) clear_neighbour<V, K>(fields, to);
}

}  // namespace cfdmark
