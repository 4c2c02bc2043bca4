// Defines plain_range<K>. Included by the file that the build writes for each kernel on meshes.
#pragma once

#include <algorithm>

#include "kernels/cells/indexed/cpu/scatter_cpu.hpp"
#include "kernels/cells/indexed/ranks/plain_range.hpp"

namespace cfdmark {

template <class K>
ResultRange plain_range(const MeshArgs<K>& args) {
  return range_with_types(args, [&]<class V>(const auto& fields, const auto& lists) -> ResultRange {
    const K kernel = args.kernel;
    if constexpr (scatters<K>) {
      return with_places<K::around, V::dims>(args.mesh->places(K::around), [&](const auto& places) {
        return range_of([=](int to) { recompute_contributions<V, K>(kernel, fields, lists, places, to); });
      });
    } else if constexpr (K::around == Connection::face_cells && !at_boundary_only<K>) {
      const Index inner = args.mesh->mesh().inner_faces;  // those of the boundary come after them
      return [=, pairs = without_gaps(lists)](Index first, Index end) {
        const Index middle = std::clamp(inner, first, end);
        sweep_inner_faces<V>(kernel, fields, pairs, int(first), int(middle));
        sweep_entities<V>(kernel, fields, lists, int(middle), int(end));
      };
    } else {
      return [=](Index first, Index end) { sweep_entities<V>(kernel, fields, lists, int(first), int(end)); };
    }
  });
}

}  // namespace cfdmark
