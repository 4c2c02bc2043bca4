// The methods of kokkos that follow from the body of a kernel on a mesh (indexed_cell.hpp, scatter.hpp). The
// build writes one file per kernel that includes this one and instantiates KokkosMesh<K>.
#pragma once

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/cells/kokkos/kokkos_cells.hpp"

namespace cfdmark {

// Work on one entity, or on one neighbour.
template <class V, class K, class Lists>
struct KokkosEntity {
  K kernel;
  typename K::template Fields<V> fields;
  Lists lists;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int e) const {
    sweep_entity_if_updated<V>(kernel, fields, lists, e);
  }
};
template <class V, class K, class Lists>
struct KokkosListed {
  K kernel;
  typename K::template Fields<V> fields;
  Lists lists;
  const int* list;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i) const {
    sweep_entity<V>(kernel, fields, lists, list[i]);
  }
};
template <class V, class K>
struct KokkosClear {
  typename K::template Fields<V> fields;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int to) const { clear_neighbour<V, K>(fields, to); }
};
struct KokkosAdder {
  template <class C, class S>
  KOKKOS_FORCEINLINE_FUNCTION static void add(S* to, C value) {
    Kokkos::atomic_add(to, S(value));
  }
};
template <class V, class K, class Lists>
struct KokkosAddAtomically {
  K kernel;
  typename K::template Fields<V> fields;
  Lists lists;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int e) const {
    sweep_entity<V>(kernel, fields, lists, e, AddToMemory<KokkosAdder>());
  }
};
template <class V, class K, class Lists>
struct KokkosAddColour {
  K kernel;
  typename K::template Fields<V> fields;
  Lists lists;
  const int* order;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i) const {
    sweep_entity<V>(kernel, fields, lists, order[i], AddToMemory<PlainAdder>());
  }
};
template <class V, class K, class Lists>
struct KokkosStore {
  K kernel;
  typename K::template Fields<V> fields;
  Lists lists;
  StoreContributions<typename V::Stored> to;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int e) const { sweep_entity<V>(kernel, fields, lists, e, to); }
};
template <class V, class K, class Places>
struct KokkosAddStored {
  typename K::template Fields<V> fields;
  StoreContributions<typename V::Stored> from;
  Places places;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int to) const {
    sum_contributions<V, K>(fields, from, places, to);
  }
};
template <class V, class K, class Lists, class Places>
struct KokkosRecompute {
  K kernel;
  typename K::template Fields<V> fields;
  Lists lists;
  Places places;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int to) const {
    recompute_contributions<V>(kernel, fields, lists, places, to);
  }
};

// Calls a body with the number of an entity. On hosts j is the number of a row of Layout::flat_row entities.
template <class Body>
struct KokkosByEntity {
  Body body;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index i, Index j = 0, Index = 0) const {
    body(int(i + j * Layout::flat_row));
  }
};

// Returns a pass of a body over n entities: by rows of a flat grid on hosts, a thread per entity on a device.
template <class K, class Body>
std::function<void()> kokkos_pass(int n, const Body& body) {
  static const std::string label = K::description().name;
  return [n, by_entity = KokkosByEntity<Body>{body}] {
    if constexpr (kokkos_on_host) {
      const LoopRows rows(flat_grid(n));
      if (n > 0) kokkos_rows(label.c_str(), rows.count(), KokkosRow<KokkosByEntity<Body>>{by_entity, rows});
    } else {
      Kokkos::parallel_for(label, KokkosRange(0, n), by_entity);
    }
  };
}

// Calls f.template operator()<V>(fields, lists) with the types of args and config and returns its result.
template <class K, class F>
std::function<void()> kokkos_pass_with_types(const MeshArgs<K>& args, const Config& config, const F& f) {
  const LinkLayout layout = link_layout(config);
  const LinkMemory& memory = args.mesh->links(K::around, layout);
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_links<K::around, V::dims>(
        memory, layout, [&](const auto& lists) { return f.template operator()<V>(fields, lists); });
  });
}

// The same with lists in the default layout.
template <class K, class F>
std::function<void()> kokkos_pass_with_plain_types(const MeshArgs<K>& args, const F& f) {
  const LinkMemory& memory = args.mesh->links(K::around, {});
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_plain_links<K::around, V::dims>(
        memory, [&](const auto& lists) { return f.template operator()<V>(fields, lists); });
  });
}

template <class K>
Step kokkos_mesh_plain(Backend&, const MeshArgs<K>& args, const Config& config) {
  return kokkos_step(
      "entities",
      kokkos_pass_with_types(args, config, [&]<class V, class Lists>(const auto& fields, const Lists& lists) {
        return kokkos_pass<K>(args.entities(), KokkosEntity<V, K, Lists>{args.kernel, fields, lists});
      }));
}

template <class K>
Step kokkos_mesh_list(Backend&, const MeshArgs<K>& args, const Config&) {
  const int* const list = args.mesh->boundary();
  const int n = args.mesh->mesh().boundary_faces();
  return kokkos_step(
      "entities",
      kokkos_pass_with_plain_types(args, [&]<class V, class Lists>(const auto& fields, const Lists& lists) {
        return kokkos_pass<K>(n, KokkosListed<V, K, Lists>{args.kernel, fields, lists, list});
      }));
}

template <class K>
std::function<void()> kokkos_clearing(const MeshArgs<K>& args) {
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return kokkos_pass<K>(args.neighbours(), KokkosClear<V, K>{fields});
  });
}

template <class K>
Step kokkos_atomic(Backend&, const MeshArgs<K>& args, const Config&) {
  const auto add =
      kokkos_pass_with_plain_types(args, [&]<class V, class Lists>(const auto& fields, const Lists& lists) {
        return kokkos_pass<K>(args.entities(), KokkosAddAtomically<V, K, Lists>{args.kernel, fields, lists});
      });
  return kokkos_step("entities", [add, clear = kokkos_clearing(args)] { clear(), add(); });
}

template <class K>
Step kokkos_coloured(Backend&, const MeshArgs<K>& args, const Config&) {
  const DeviceMesh::Colours& colours = args.mesh->colours(K::around);
  std::vector<std::function<void()>> passes = {kokkos_clearing(args)};
  for (std::size_t c = 0; c + 1 < colours.begin.size(); ++c) {
    const int n = colours.begin[c + 1] - colours.begin[c];
    const int* const order = static_cast<const int*>(colours.order.data()) + colours.begin[c];
    passes.push_back(
        kokkos_pass_with_plain_types(args, [&]<class V, class Lists>(const auto& fields, const Lists& lists) {
          return kokkos_pass<K>(n, KokkosAddColour<V, K, Lists>{args.kernel, fields, lists, order});
        }));
  }
  return kokkos_step("entities", [passes] {
    for (const auto& pass : passes) pass();
  });
}

template <class K>
Step kokkos_replicated(Backend& backend, const MeshArgs<K>& args, const Config&) {
  const ContributionMemory memory = contribution_memory(backend, args);
  const auto store =
      kokkos_pass_with_plain_types(args, [&]<class V, class Lists>(const auto& fields, const Lists& lists) {
        return kokkos_pass<K>(args.entities(), KokkosStore<V, K, Lists>{args.kernel, fields, lists,
                                                                        memory.as<typename V::Stored>()});
      });
  const auto sum = dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_places<K::around, V::dims>(
        args.mesh->places(K::around), [&]<class Places>(const Places& places) {
          return kokkos_pass<K>(args.neighbours(), KokkosAddStored<V, K, Places>{
                                                       fields, memory.as<typename V::Stored>(), places});
        });
  });
  return kokkos_step("entities", [memory, store, sum] { store(), sum(); });
}

template <class K>
Step kokkos_recomputed(Backend&, const MeshArgs<K>& args, const Config&) {
  return kokkos_step(
      "entities",
      kokkos_pass_with_plain_types(args, [&]<class V, class Lists>(const auto& fields, const Lists& lists) {
        return with_places<K::around, V::dims>(
            args.mesh->places(K::around), [&]<class Places>(const Places& places) {
              return kokkos_pass<K>(args.neighbours(),
                                    KokkosRecompute<V, K, Lists, Places>{args.kernel, fields, lists, places});
            });
      }));
}

// Prepares a method of Scattering<K> with the arguments of K.
template <class K, Step (*prepare)(Backend&, const MeshArgs<Scattering<K>>&, const Config&)>
Step kokkos_scattering(Backend& backend, const MeshArgs<K>& args, const Config& config) {
  return prepare(backend, scattering_args<Scattering<K>>(args), config);
}

template <class K>
Methods<MeshArgs<K>> KokkosMesh<K>::methods() {
  Methods<MeshArgs<K>> methods;
  if constexpr (!scatters<K>) methods.push_back({"plain", mesh_space(K::around), kokkos_mesh_plain<K>});
  if constexpr (at_boundary_only<K>) methods.push_back({"list", {}, kokkos_mesh_list<K>});
  if constexpr (has_scattering<K>) {
    using To = Scattering<K>;
    const TuningSpace space;
    if constexpr (scatters<K>)
      methods.push_back({"plain", space, kokkos_scattering<K, kokkos_recomputed<To>>});
    methods.push_back({"replicated", space, kokkos_scattering<K, kokkos_replicated<To>>});
    methods.push_back({"coloured", space, kokkos_scattering<K, kokkos_coloured<To>>});
    methods.push_back({"atomic", space, kokkos_scattering<K, kokkos_atomic<To>>});
  }
  return methods;
}

}  // namespace cfdmark
