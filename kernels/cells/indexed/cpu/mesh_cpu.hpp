// The methods of serial and openmp that follow from the body of a kernel on a mesh (indexed_cell.hpp).
#pragma once

#include <algorithm>

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"
#include "kernels/device/cpu/row_stencil.hpp"

// Marks a loop that gathers: four entities a repetition, without vector instructions. GCC takes none either,
// since a store might change what is gathered.
#if defined(__clang__)
#define CFDMARK_GATHERING_LOOP _Pragma("clang loop vectorize(disable) unroll_count(4)")
#else
#define CFDMARK_GATHERING_LOOP _Pragma("GCC unroll 4")
#endif

namespace cfdmark {

// Applies the body to entities first .. end - 1. Kernel, fields and lists are passed by value, so that no
// store can alias them.
template <class V, class K, class Lists>
[[gnu::noinline, gnu::flatten]] void sweep_entities(const K kernel,
                                                    const typename K::template Fields<V> fields,
                                                    const Lists lists, int first, int end) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int e = first; e < end; ++e) sweep_entity_if_updated<V>(kernel, fields, lists, e);
}

// The same for faces that all have two cells.
template <class V, class K, class Lists>
[[gnu::noinline, gnu::flatten]] void sweep_inner_faces(const K kernel,
                                                       const typename K::template Fields<V> fields,
                                                       const Lists lists, int first, int end) {
  CFDMARK_GATHERING_LOOP
  for (int e = first; e < end; ++e) sweep_entity<V>(kernel, fields, lists, e);
}

// Applies a kernel to entities first .. end - 1.
using EntityRange = std::function<void(Index first, Index end)>;

// Returns the loop over a range of entities for the layouts of args and config.
template <class K>
EntityRange entity_range(const MeshArgs<K>& args, const Config& config) {
  const LinkLayout layout = link_layout(config);
  const LinkMemory& memory = args.mesh->links(K::around, layout);
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_links<K::around, V::dims>(memory, layout, [&](const auto& lists) {
      if constexpr (K::around == Connection::face_cells && !at_boundary_only<K>) {
        const Index inner = args.mesh->mesh().inner_faces;  // those of the boundary come after them
        return EntityRange([=, kernel = args.kernel, pairs = without_gaps(lists)](Index first, Index end) {
          const Index middle = std::clamp(inner, first, end);
          sweep_inner_faces<V>(kernel, fields, pairs, int(first), int(middle));
          sweep_entities<V>(kernel, fields, lists, int(middle), int(end));
        });
      } else {
        return EntityRange([=, kernel = args.kernel](Index first, Index end) {
          sweep_entities<V>(kernel, fields, lists, int(first), int(end));
        });
      }
    });
  });
}

template <class K>
Step entities_by_rows(const MeshArgs<K>& args, const Config& config, const HostRows& rows) {
  return row_step(rows, [rows, range = entity_range(args, config), n = Index(args.entities())] {
    rows.ranges(n, range);
  });
}

template <class K>
Methods<MeshArgs<K>> gathering_serial() {
  return {{"plain", mesh_space(K::around), [](Backend&, const MeshArgs<K>& a, const Config& c) {
             return entities_by_rows(a, c, HostRows());
           }}};
}
template <class K>
Methods<MeshArgs<K>> gathering_openmp() {
  return {{"plain", mesh_space(K::around, openmp_space().settings),
           [](Backend&, const MeshArgs<K>& a, const Config& c) {
             return entities_by_rows(a, c, openmp_rows(c));
           }}};
}

}  // namespace cfdmark
