// The methods of cuda that follow from a body that scatters (scatter.hpp): plans for the code of mesh.cuh.
#pragma once

#include "kernels/cells/indexed/cuda/repeated_mesh.hpp"

namespace cfdmark {

template <class K>
Launch clearing_launch(const MeshArgs<K>& args, const Config& config) {
  const int n = args.neighbours();
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return mesh_launch<K>("clear_neighbours", {&typeid(V)}, n, config, Arguments(fields, n));
  });
}

template <class K>
Plan atomic_plan(Backend&, const MeshArgs<K>& args, const Config& config) {
  const int n = args.entities();
  const Launch add = with_plain_mesh_types(args, [&]<class V>(const auto& fields, const auto& lists) {
    return mesh_launch<K>("add_atomically", {&typeid(V), &typeid(lists)}, n, config,
                          Arguments(args.kernel, fields, lists, n));
  });
  return {.run = {clearing_launch(args, config), add}};
}

template <class K>
Plan coloured_plan(Backend&, const MeshArgs<K>& args, const Config& config) {
  const DeviceMesh::Colours& colours = args.mesh->colours(K::around);
  Plan plan{.run = {clearing_launch(args, config)}};
  for (std::size_t c = 0; c + 1 < colours.begin.size(); ++c) {
    const int n = colours.begin[c + 1] - colours.begin[c];
    const int* const order = static_cast<const int*>(colours.order.data()) + colours.begin[c];
    plan.run.emplace_back(with_plain_mesh_types(args, [&]<class V>(const auto& fields, const auto& lists) {
      return mesh_launch<K>("add_colour", {&typeid(V), &typeid(lists)}, n, config,
                            Arguments(args.kernel, fields, lists, order, n));
    }));
  }
  return plan;
}

template <class K>
Plan replicated_plan(Backend& backend, const MeshArgs<K>& args, const Config& config) {
  const ContributionMemory memory = contribution_memory(backend, args);
  const int entities = args.entities(), neighbours = args.neighbours();
  const Launch store = with_plain_mesh_types(args, [&]<class V>(const auto& fields, const auto& lists) {
    const auto contributions = memory.as<typename V::Stored>();
    return mesh_launch<K>("store_contributions", {&typeid(V), &typeid(lists), &typeid(contributions)},
                          entities, config, Arguments(args.kernel, fields, lists, contributions, entities));
  });
  const Launch sum = dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_places<K::around, V::dims>(args.mesh->places(K::around), [&](const auto& places) {
      const auto contributions = memory.as<typename V::Stored>();
      return mesh_launch<K>("add_stored", {&typeid(V), &typeid(contributions), &typeid(places)}, neighbours,
                            config, Arguments(fields, contributions, places, neighbours));
    });
  });
  return {.run = {store, sum}, .memory = {memory.buffer}};
}

template <class K>
Plan recomputed_plan(Backend&, const MeshArgs<K>& args, const Config& config) {
  const int n = args.neighbours();
  return with_plain_mesh_types(args, [&]<class V>(const auto& fields, const auto& lists) {
    return with_places<K::around, V::dims>(args.mesh->places(K::around), [&](const auto& places) -> Plan {
      return {.run = {mesh_launch<K>("add_recomputed", {&typeid(V), &typeid(lists), &typeid(places)}, n,
                                     config, Arguments(args.kernel, fields, lists, places, n))}};
    });
  });
}

// Makes a plan for Scattering<K> from the arguments of K.
template <class K, Plan (*plan)(Backend&, const MeshArgs<Scattering<K>>&, const Config&)>
Plan plan_of_scattering(Backend& backend, const MeshArgs<K>& args, const Config& config) {
  return plan(backend, scattering_args<Scattering<K>>(args), config);
}

template <class K>
Methods<MeshArgs<K>> scatter_cuda() {
  using To = Scattering<K>;
  const TuningSpace space{{mesh_block_setting()}};
  Methods<MeshArgs<K>> methods;
  if constexpr (std::is_same_v<K, To>)
    methods.push_back({"plain", space, prepare_cuda<plan_of_scattering<K, recomputed_plan<To>>>});
  methods.push_back({"replicated", space, prepare_cuda<plan_of_scattering<K, replicated_plan<To>>>});
  methods.push_back({"coloured", space, prepare_cuda<plan_of_scattering<K, coloured_plan<To>>>});
  methods.push_back({"atomic", space, prepare_cuda<plan_of_scattering<K, atomic_plan<To>>>});
  return methods;
}

template <class K>
Methods<MeshArgs<K>> mesh_cuda() {
  Methods<MeshArgs<K>> methods;
  if constexpr (!scatters<K>) methods = gathering_cuda<K>();
  if constexpr (has_scattering<K>)
    for (auto& method : scatter_cuda<K>()) methods.push_back(std::move(method));
  if constexpr (can_repeat<K>) methods.push_back(repeated_mesh_method<K>());
  return methods;
}

}  // namespace cfdmark
