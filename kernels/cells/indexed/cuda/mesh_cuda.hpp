// The methods of cuda that follow from the body of a kernel on a mesh: plans for the device code of mesh.cuh.
#pragma once

#include <fmt/format.h>

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

// Returns a launch of a function of mesh.cuh with n threads. `types` and `numbers`: template arguments after
// the kernel and before the bound of threads.
template <class K>
Launch mesh_launch(const char* function, std::vector<const std::type_info*> types, int n,
                   const Config& config, const Arguments& arguments, std::vector<int> numbers = {}) {
  const int threads = config.integer("block_x");
  types.insert(types.begin(), &typeid(K));
  numbers.push_back(compiled_for({threads}));
  return {{mesh_source(K::description().described_at), instance(function, types, numbers)},
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

// True if blocks can read the lists of a kernel together (staged_lists.cuh).
template <class K>
inline constexpr bool has_staged_lists =
    degree_of(K::around, 2) == 0 && mesh_fields_with<K>([](MeshRole r, int) {
                                      return r == MeshRole::gather;
                                    }) == 1 &&
    mesh_fields_with<K>([](MeshRole r, int n) { return r == MeshRole::gather && n == 1; }) == 1;

// Bytes that a thread loads for an entity, with 32-bit values in the kernel's fewest dimensions.
template <class K>
constexpr int loaded_bytes() {
  constexpr int dims = only_dims<K> == 3 ? 3 : 2, degree = degree_of(K::around, dims);
  int words = degree;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    const int components = name.components_in(dims);
    if (name.role == MeshRole::gather) words += degree * components;
    if (name.role == MeshRole::in || name.role == MeshRole::in_out) words += components;
  });
  return 4 * words;
}

inline constexpr int warp_stride = 32;

// Settings of how a thread works. Its default number of entities keeps enough bytes in flight: see
// docs/decisions/050. Lists that differ in length make longer chains of loads.
template <class K>
std::vector<Setting> group_settings() {
  constexpr int bytes = loaded_bytes<K>();
  constexpr int usual = has_staged_lists<K> ? 2 : bytes <= 24 ? 4 : bytes <= 48 ? 2 : 1;
  std::vector<Setting> settings = {
      mesh_block_setting(),
      {"entities_per_thread",
       {1, 2, 4},
       usual,
       "entities of a thread, loaded together",
       "",
       integer_from_to(1, 4)},
      {"entity_stride",
       {1, warp_stride},
       warp_stride,
       "distance of a thread's entities: 1, or 32, so that the threads of a warp read neighbouring ones",
       "",
       integer_from_to(1, warp_stride)},
      choice_setting("cache_hint", {"none", "streaming"}, "none",
                     "lists, own values and results: cached as usual, or replaced first, so that values of "
                     "neighbours stay")};
  if constexpr (has_staged_lists<K>)
    settings.push_back(choice_setting("list_reads", {"thread", "block"}, "block",
                                      "lists of neighbours: read by the thread of an entity, or by its "
                                      "block together, through shared memory"));
  return settings;
}
inline std::string group_problem(const Config& config) {
  if (config.integer("entities_per_thread") == 3) return "entities_per_thread=3: use 1, 2 or 4";
  if (const int stride = config.integer("entity_stride"); stride != 1 && stride != warp_stride)
    return fmt::format("entity_stride={}: use 1 or {}", stride, warp_stride);
  if (config.is("list_reads", "block") && config.integer("entity_stride") == 1)
    return "list_reads=block has a stride of its own: leave entity_stride at its default";
  if (config.is("list_reads", "block") && config.integer("block_x") % LinkMemory::group != 0)
    return fmt::format("block_x={}: list_reads=block requires a multiple of {}", config.integer("block_x"),
                       LinkMemory::group);
  return "";
}

// Throws std::invalid_argument unless all fields start at multiples of 16 bytes, as groups of entities are
// loaded. A field of its own does.
template <class K>
void check_alignment(const MeshArgs<K>& args) {
  mapped<K, AnyMeshViews>(args.fields, [](const AnyView& view) {
    if (!view.rows_are_aligned())
      throw std::invalid_argument(
          "a field of a kernel on a mesh does not start at a multiple of 16 bytes: use a whole field");
    return view;
  });
}

// Returns the plan with list_reads=block: a block has shared memory for the values at all its entries.
template <class K, class V, class Lists>
Plan staged_plan(const MeshArgs<K>& args, const Config& config, const Lists& lists,
                 const Arguments& arguments) {
  const int length = config.integer("entities_per_thread"), entities = config.integer("block_x") * length;
  const int blocks = mesh_blocks(args.entities(), entities).x;
  Launch launch =
      mesh_launch<K>("entities_staged", {&typeid(V), &typeid(lists)}, blocks * config.integer("block_x"),
                     config, arguments, {length, config.is("cache_hint", "streaming")});
  launch.shared_bytes = args.mesh->links(K::around, link_layout(config)).most_of_group *
                        (entities / LinkMemory::group) * int(sizeof(typename V::Stored));
  return {.run = {launch}};
}

template <class K>
Plan entities_plain(Backend&, const MeshArgs<K>& args, const Config& config) {
  const int n = args.entities();
  return with_mesh_types(args, config, [&]<class V>(const auto& fields, const auto& lists) -> Plan {
    const Arguments arguments(args.kernel, fields, lists, n);
    if constexpr (at_boundary_only<K>) {
      return {.run = {mesh_launch<K>("entities_plain", {&typeid(V), &typeid(lists)}, n, config, arguments)}};
    } else {
      const int length = config.integer("entities_per_thread"), stride = config.integer("entity_stride");
      if constexpr (has_staged_lists<K>)
        if (config.is("list_reads", "block")) return staged_plan<K, V>(args, config, lists, arguments);
      if (stride == 1) check_alignment(args);
      const int shared = length * stride;  // entities of `stride` threads
      return {.run = {mesh_launch<K>("entities_grouped", {&typeid(V), &typeid(lists)},
                                     (n + shared - 1) / shared * stride, config, arguments,
                                     {length, stride, config.is("cache_hint", "streaming")})}};
    }
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
  TuningSpace space = mesh_space(K::around, {mesh_block_setting()});
  if constexpr (!at_boundary_only<K>) {
    space = mesh_space(K::around, group_settings<K>());
    space.require(group_problem);
  }
  Methods<MeshArgs<K>> methods = {{"plain", space, prepare_cuda<entities_plain<K>>}};
  if constexpr (at_boundary_only<K>)
    methods.push_back({"list", {{mesh_block_setting()}}, prepare_cuda<entities_listed<K>>});
  return methods;
}

}  // namespace cfdmark
