// The methods of kokkos that follow from the body of a kernel on a mesh (indexed_cell.hpp). The build writes
// one file per kernel that includes this one and instantiates KokkosMesh<K>.
#pragma once

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/cells/kokkos/kokkos_cells.hpp"

namespace cfdmark {

// The body of one entity. On hosts j is the number of a row of Layout::flat_row entities.
template <class V, class K, class Lists>
struct KokkosEntity {
  K kernel;
  typename K::template Fields<V> fields;
  Lists lists;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index i, Index j = 0, Index = 0) const {
    sweep_entity<V>(kernel, fields, lists, int(i + j * Layout::flat_row));
  }
};

// Applies a body to n entities: by rows of a flat grid on hosts, with a thread per entity on a device.
template <class Body>
void kokkos_entities(const char* label, int n, const Body& body) {
  if constexpr (kokkos_on_host) {
    const LoopRows rows(flat_grid(n));
    kokkos_rows(label, rows.count(), KokkosRow<Body>{body, rows});
  } else {
    Kokkos::parallel_for(label, KokkosRange(0, n), body);
  }
}

template <class K>
Step kokkos_mesh_plain(Backend&, const MeshArgs<K>& args, const Config& config) {
  static const std::string label = K::description().name;
  const LinkLayout layout = link_layout(config);
  const LinkMemory& memory = args.mesh->links(K::around, layout);
  std::function<void()> run =
      dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
        return with_links<K::around, V::dims>(memory, layout, [&]<class Lists>(const Lists& lists) {
          const KokkosEntity<V, K, Lists> body{args.kernel, fields, lists};
          return std::function<void()>([=, n = args.entities()] { kokkos_entities(label.c_str(), n, body); });
        });
      });
  return kokkos_step("entities", std::move(run));
}

template <class K>
Methods<MeshArgs<K>> KokkosMesh<K>::methods() {
  return {{"plain", mesh_space(K::around), kokkos_mesh_plain<K>}};
}

}  // namespace cfdmark
