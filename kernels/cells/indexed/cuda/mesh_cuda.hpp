// The methods of cuda that follow from the body of a kernel on a mesh: plans for the device code of mesh.cuh.
#pragma once

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/device/cuda/plan/cuda_blocks.hpp"

namespace cfdmark {

// Returns the path of the device source that the build writes, such as "generated/mesh_curl_mesh.cu": it
// includes mesh.cuh and the kernel's header.
inline std::string mesh_source(const SourcePlace& described_at) {
  const std::string file = described_at.file;
  const auto begin = file.rfind('/') + 1;
  return "generated/" + file.substr(begin, file.rfind('.') - begin) + "_mesh.cu";
}

// Settings of blocks with a thread per entity.
inline Setting mesh_block_setting() {
  return {"block_x", {64, 128, 256, 512}, 128, "threads of a block", "", integer_from_to(32, 1024)};
}

// Blocks of `threads` that cover n entities.
inline Extent mesh_blocks(int n, int threads) { return {std::max((n + threads - 1) / threads, 1)}; }

// Returns a launch of a function of mesh.cuh over n entities, one thread each. `types`: template arguments.
template <class K>
Launch mesh_launch(const char* function, std::vector<const std::type_info*> types, int n,
                   const Config& config, const Arguments& arguments) {
  const int threads = config.integer("block_x");
  types.insert(types.begin(), &typeid(K));
  return {{mesh_source(K::description().described_at), instance(function, types, {compiled_for({threads})})},
          mesh_blocks(n, threads),
          {threads},
          arguments};
}

// Calls f.template operator()<V>(fields, lists) with the types of args and config and returns its result.
template <class K, class F>
decltype(auto) with_mesh_types(const MeshArgs<K>& args, const Config& config, const F& f) {
  const LinkLayout layout = link_layout(config);
  const LinkMemory& memory = args.mesh->links(K::around, layout);
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_links<K::around, V::dims>(
        memory, layout, [&](const auto& lists) { return f.template operator()<V>(fields, lists); });
  });
}

// The same with lists in the default layout.
template <class K, class F>
decltype(auto) with_plain_mesh_types(const MeshArgs<K>& args, const F& f) {
  const LinkMemory& memory = args.mesh->links(K::around, {});
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_plain_links<K::around, V::dims>(
        memory, [&](const auto& lists) { return f.template operator()<V>(fields, lists); });
  });
}

template <class K>
Plan entities_plain(Backend&, const MeshArgs<K>& args, const Config& config) {
  const int n = args.entities();
  return with_mesh_types(args, config, [&]<class V>(const auto& fields, const auto& lists) -> Plan {
    return {.run = {mesh_launch<K>("entities_plain", {&typeid(V), &typeid(lists)}, n, config,
                                   Arguments(args.kernel, fields, lists, n))}};
  });
}

template <class K>
Plan entities_listed(Backend&, const MeshArgs<K>& args, const Config& config) {
  const int* const list = args.mesh->boundary();
  const int n = args.mesh->mesh().boundary_faces();
  return with_plain_mesh_types(args, [&]<class V>(const auto& fields, const auto& lists) -> Plan {
    return {.run = {mesh_launch<K>("entities_listed", {&typeid(V), &typeid(lists)}, n, config,
                                   Arguments(args.kernel, fields, lists, list, n))}};
  });
}

template <class K>
Methods<MeshArgs<K>> gathering_cuda() {
  const TuningSpace space = mesh_space(K::around, {mesh_block_setting()});
  Methods<MeshArgs<K>> methods = {{"plain", space, prepare_cuda<entities_plain<K>>}};
  if constexpr (at_boundary_only<K>)
    methods.push_back({"list", {{mesh_block_setting()}}, prepare_cuda<entities_listed<K>>});
  return methods;
}

}  // namespace cfdmark
