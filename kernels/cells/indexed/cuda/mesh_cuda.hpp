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

template <class K>
Plan entities_plain(Backend&, const MeshArgs<K>& args, const Config& config) {
  const int threads = config.integer("block_x");
  const LinkLayout layout = link_layout(config);
  const LinkMemory& memory = args.mesh->links(K::around, layout);
  return dispatch_mesh_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return with_links<K::around, V::dims>(memory, layout, [&]<class Lists>(const Lists& lists) -> Plan {
      return {.run = {Launch{{mesh_source(K::description().described_at),
                              instance<K, V, Lists>("entities_plain", {compiled_for({threads})})},
                             mesh_blocks(args.entities(), threads),
                             {threads},
                             Arguments(args.kernel, fields, lists, args.entities())}},
              .memory = {memory.entries, memory.second}};
    });
  });
}

template <class K>
Methods<MeshArgs<K>> mesh_cuda() {
  return {{"plain", mesh_space(K::around, {mesh_block_setting()}), prepare_cuda<entities_plain<K>>}};
}

}  // namespace cfdmark
