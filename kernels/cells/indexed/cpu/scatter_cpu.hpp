// The methods of serial and openmp that follow from a body that scatters (scatter.hpp).
#pragma once

#include "kernels/cells/indexed/cpu/mesh_cpu.hpp"

namespace cfdmark {

// Calls f(i) for i = first .. end - 1. A function of its own, into which everything is inlined. f is passed
// by value, so that no store can alias what it holds.
template <class F>
[[gnu::noinline, gnu::flatten]] void for_entities(const F f, int first, int end) {
  for (int i = first; i < end; ++i) f(i);
}
template <class F>
EntityRange range_of(const F& f) {
  return [=](Index first, Index end) { for_entities(f, int(first), int(end)); };
}

// One number's atomic addition. The order of additions, and so the last bits, differ between runs.
struct OpenMPAdder {
  template <class C, class S>
  static void add(S* to, C value) {
    const S rounded = S(value);
#pragma omp atomic
    *to += rounded;
  }
};

// Calls f.template operator()<V>(fields, lists) with the types of args and returns its result. Methods that
// scatter, and those by list, have their lists in the default layout.
template <class K, class F>
EntityRange range_with_types(const MeshArgs<K>& args, const F& f) {
  const LinkMemory& memory = args.mesh->links(K::around, {});
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_plain_links<K::around, V::dims>(
        memory, [&](const auto& lists) { return f.template operator()<V>(fields, lists); });
  });
}

template <class K>
EntityRange clearing_range(const MeshArgs<K>& args) {
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return range_of([=](int to) { clear_neighbour<V, K>(fields, to); });
  });
}

// Adds in memory in the order of the entities, or of `order`.
template <class Adder, class K>
EntityRange adding_range(const MeshArgs<K>& args, const int* order = nullptr) {
  return range_with_types(args, [&]<class V>(const auto& fields, const auto& lists) {
    const K kernel = args.kernel;
    if (!order)
      return range_of([=](int e) { sweep_entity<V>(kernel, fields, lists, e, AddToMemory<Adder>()); });
    return range_of([=](int i) { sweep_entity<V>(kernel, fields, lists, order[i], AddToMemory<Adder>()); });
  });
}

template <class Adder, class K>
Step add_in_memory(const MeshArgs<K>& args, const HostRows& rows) {
  return row_step(rows, [rows, clear = clearing_range(args), add = adding_range<Adder>(args),
                         entities = Index(args.entities()), neighbours = Index(args.neighbours())] {
    rows.ranges(neighbours, clear);
    rows.ranges(entities, add);
  });
}

template <class K>
Step add_by_colours(const MeshArgs<K>& args, const HostRows& rows) {
  const DeviceMesh::Colours& colours = args.mesh->colours(K::around);
  const auto* const order = static_cast<const int*>(colours.order.data());
  return row_step(rows, [rows, clear = clearing_range(args), add = adding_range<PlainAdder>(args, order),
                         begin = colours.begin, neighbours = Index(args.neighbours())] {
    rows.ranges(neighbours, clear);
    for (std::size_t n = 0; n + 1 < begin.size(); ++n)
      rows.ranges(begin[n + 1] - begin[n],
                  [&](Index first, Index end) { add(begin[n] + first, begin[n] + end); });
  });
}

template <class K>
Step add_replicated(Backend& backend, const MeshArgs<K>& args, const HostRows& rows) {
  const ContributionMemory memory = contribution_memory(backend, args);
  const LinkMemory& where = args.mesh->places(K::around);
  const EntityRange store = range_with_types(args, [&]<class V>(const auto& fields, const auto& lists) {
    return range_of([=, kernel = args.kernel, to = memory.as<typename V::Stored>()](int e) {
      sweep_entity<V>(kernel, fields, lists, e, to);
    });
  });
  const EntityRange sum =
      dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
        return with_places<K::around, V::dims>(where, [&](const auto& places) {
          return range_of([=, from = memory.as<typename V::Stored>()](int to) {
            sum_contributions<V, K>(fields, from, places, to);
          });
        });
      });
  return row_step(rows, [=, entities = Index(args.entities()), neighbours = Index(args.neighbours())] {
    rows.ranges(entities, store);
    rows.ranges(neighbours, sum);
    static_cast<void>(memory);  // lives as long as the step
  });
}

template <class K>
Step add_recomputed(const MeshArgs<K>& args, const HostRows& rows) {
  const LinkMemory& where = args.mesh->places(K::around);
  const EntityRange sum = range_with_types(args, [&]<class V>(const auto& fields, const auto& lists) {
    return with_places<K::around, V::dims>(where, [&](const auto& places) {
      return range_of([=, kernel = args.kernel](int to) {
        recompute_contributions<V, K>(kernel, fields, lists, places, to);
      });
    });
  });
  return row_step(rows, [=, neighbours = Index(args.neighbours())] { rows.ranges(neighbours, sum); });
}

// Returns the distribution of entities that a config says.
using RowsOfConfig = HostRows (*)(const Config&);

// The methods that scatter. K: the kernel of the table; its arguments become those of Scattering<K>.
template <class K, RowsOfConfig rows>
Methods<MeshArgs<K>> scatter_methods_on_host(const std::vector<Setting>& more) {
  using Args = MeshArgs<K>;
  using To = Scattering<K>;
  const TuningSpace space{more};
  Methods<Args> methods;
  if constexpr (std::is_same_v<K, To>)
    methods.push_back({"plain", space, [](Backend&, const Args& a, const Config& c) {
                         return add_recomputed(scattering_args<To>(a), rows(c));
                       }});
  methods.push_back({"replicated", space, [](Backend& b, const Args& a, const Config& c) {
                       return add_replicated(b, scattering_args<To>(a), rows(c));
                     }});
  methods.push_back({"coloured", space, [](Backend&, const Args& a, const Config& c) {
                       return add_by_colours(scattering_args<To>(a), rows(c));
                     }});
  return methods;
}
template <class K>
Methods<MeshArgs<K>> scatter_serial() {
  auto methods = scatter_methods_on_host<K, serial_rows>({});
  methods.push_back({"in_order", {}, [](Backend&, const MeshArgs<K>& a, const Config&) {
                       return add_in_memory<PlainAdder>(scattering_args<Scattering<K>>(a), HostRows());
                     }});
  return methods;
}
template <class K>
Methods<MeshArgs<K>> scatter_openmp() {
  const std::vector<Setting> threads = openmp_space().settings;
  auto methods = scatter_methods_on_host<K, openmp_rows>(threads);
  methods.push_back({"atomic", {threads}, [](Backend&, const MeshArgs<K>& a, const Config& c) {
                       return add_in_memory<OpenMPAdder>(scattering_args<Scattering<K>>(a), openmp_rows(c));
                     }});
  return methods;
}

// Updates the faces of the boundary by their list.
template <class K>
Step faces_by_list(const MeshArgs<K>& args, const HostRows& rows) {
  const int* const list = args.mesh->boundary();
  const EntityRange range = range_with_types(args, [&]<class V>(const auto& fields, const auto& lists) {
    return range_of([=, kernel = args.kernel](int i) { sweep_entity<V>(kernel, fields, lists, list[i]); });
  });
  return row_step(rows, [=, n = Index(args.mesh->mesh().boundary_faces())] { rows.ranges(n, range); });
}

template <class K>
Methods<MeshArgs<K>> mesh_serial() {
  Methods<MeshArgs<K>> methods;
  if constexpr (!scatters<K>) methods = gathering_serial<K>();
  if constexpr (at_boundary_only<K>)
    methods.push_back({"list", {}, [](Backend&, const MeshArgs<K>& a, const Config&) {
                         return faces_by_list(a, HostRows());
                       }});
  if constexpr (has_scattering<K>)
    for (auto& method : scatter_serial<K>()) methods.push_back(std::move(method));
  return methods;
}
template <class K>
Methods<MeshArgs<K>> mesh_openmp() {
  Methods<MeshArgs<K>> methods;
  if constexpr (!scatters<K>) methods = gathering_openmp<K>();
  if constexpr (at_boundary_only<K>)
    methods.push_back({"list", openmp_space(), [](Backend&, const MeshArgs<K>& a, const Config& c) {
                         return faces_by_list(a, openmp_rows(c));
                       }});
  if constexpr (has_scattering<K>)
    for (auto& method : scatter_openmp<K>()) methods.push_back(std::move(method));
  return methods;
}

}  // namespace cfdmark
