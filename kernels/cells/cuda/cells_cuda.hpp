// The generated methods of cuda for kernels with a cell body: plans for the device code of cells.cuh.
#pragma once

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/cuda/plan/cuda_blocks.hpp"

namespace cfdmark {

// Returns the path of the device source that the build writes, such as "generated/jacobi_cells.cu": it
// includes cells.cuh and the kernel's header.
inline std::string cells_source(const SourcePlace& described_at) {
  const std::string file = described_at.file;
  const auto begin = file.rfind('/') + 1;
  return "generated/" + file.substr(begin, file.rfind('.') - begin) + "_cells.cu";
}

// The fields of a kernel as an argument of device functions, and their representation V (cell.hpp), which is
// a template argument of these functions. Only this is compiled for each combination of scalar types.
struct DeviceFields {
  const std::type_info* views;
  Argument fields;
};
template <class K>
DeviceFields device_fields(const CellArgs<K>& args) {
  return dispatch_types(args, []<class V>(const typename K::template Fields<V>& fields) {
    return DeviceFields{&typeid(V), fields};
  });
}

// Returns a plan with one launch per pass of the step and `cells` cells per thread. `numbers`: template
// arguments of the function that precede its launch bound.
template <class K>
Plan sweep_cells(const char* function, const CellArgs<K>& args, Extent threads, Extent cells = {},
                 std::vector<int> numbers = {}) {
  numbers.push_back(compiled_for(threads));
  const Grid g = args.grid();
  const DeviceFields fields = device_fields(args);
  const DeviceFunction of_cells{cells_source(K::description().described_at),
                                instance(function, {&typeid(K), fields.views}, numbers)};
  Plan plan;
  for (const K& part : parts_of(args))
    plan.run.emplace_back(Launch{of_cells, blocks_over(g, threads, cells), threads,
                                 Arguments(part, fields.fields, Cells{g.nx, g.ny, g.nz})});
  return plan;
}

template <class K>
Plan cells_plain(Backend&, const CellArgs<K>& args, const Config& config) {
  return sweep_cells("cells_plain", args, block_of(config));
}

// Returns the number of cells that fill 16 bytes of the narrowest stored field.
template <class K>
int vector_width(const CellArgs<K>& args) {
  std::size_t narrowest = stored_bytes(args.precision);
  args.for_each_view([&](const AnyView& view, Role role) {
    if (role == Role::other_in) narrowest = std::min(narrowest, stored_bytes(view.storage));
  });
  return cells_in_16_bytes(narrowest);
}

template <class K>
Plan cells_vector(Backend&, const CellArgs<K>& args, const Config& config) {
  return sweep_cells("cells_vector", args, block_of(config), {vector_width(args)});
}

template <class K>
Plan cells_column(Backend&, const CellArgs<K>& args, const Config& config) {
  const int cells = config.integer("cells");
  return sweep_cells("cells_column", args, block_of(config), column_of(cells, args.grid()), {cells});
}

// Not with coefficient arrays: they dominate the traffic, so fewer loads of u gain nothing.
template <class K>
bool prefers_column(const CellArgs<K>& args) {
  return args.op().constant;
}

// Returns a plan with two launches: one result per block, then their reduction.
template <class K>
Plan join_cells(Backend& backend, const CellArgs<K>& args, const Config& config, int width) {
  constexpr int joining = 256;
  const Extent threads = block_of(config);
  const LoopRows rows(args.grid());
  const std::string source = cells_source(K::description().described_at);
  const int blocks = std::min(config.integer("blocks"), int(rows.count() + threads.y - 1) / threads.y);
  const Buffer memory(backend, blocks * sizeof(double));
  double* const of_blocks = static_cast<double*>(memory.data());
  const DeviceFields fields = device_fields(args);
  const auto by_blocks = [&](const auto& of) {
    return Launch{{source, instance("cells_joined", {&typeid(K), fields.views, &typeid(of)},
                                    {threads.x, threads.y, width})},
                  {blocks},
                  threads,
                  Arguments(args.kernel, fields.fields, of, of_blocks)};
  };
  const Launch by_block =
      args.grid().is_flat() ? by_blocks(rows) : by_blocks(Cells{rows.nx, rows.ny, rows.nz});
  const Launch of_all{{source, instance<K>("join_results", {joining})},
                      {1},
                      {joining},
                      Arguments(static_cast<const double*>(of_blocks), blocks, args.result)};
  return {.run = {by_block, of_all}, .memory = {memory}};
}

template <class K>
Plan join_cells_plain(Backend& backend, const CellArgs<K>& args, const Config& config) {
  return join_cells(backend, args, config, 1);
}
template <class K>
Plan join_cells_vector(Backend& backend, const CellArgs<K>& args, const Config& config) {
  return join_cells(backend, args, config, vector_width(args));
}

// Blocks of 64 x 4 by default: with 256 x 1, threads have no work on the short rows of a cube.
inline TuningSpace joining_space() {
  return reducing_block_space({{"blocks",
                                {256, 512, 1024, 2048, 4096},
                                1024,
                                "maximum number of blocks, with a partial result each"}});
}

// Methods `plain`; `vector` for kernels without neighbours; `column` where the neighbours of one field
// determine another.
template <class K>
Methods<CellArgs<K>> cells_cuda() {
  using Args = CellArgs<K>;
  constexpr bool in_packs = !has_neighbours<K> && !has_operator<K> && !every_second_cell<K>;
  if constexpr (in_order<K>) {
    return {};
  } else if constexpr (is_reduction<K>) {
    Methods<Args> methods = {{"plain", joining_space(), prepare_cuda<join_cells_plain<K>>}};
    if constexpr (in_packs)
      methods.push_back({"vector", joining_space(), prepare_cuda<join_cells_vector<K>>, unaligned<K>});
    return methods;
  } else {
    Methods<Args> methods = {{"plain", block_space(), prepare_cuda<cells_plain<K>>}};
    if constexpr (in_packs)
      methods.push_back({.name = "vector",
                         .space = block_space(),
                         .prepare = prepare_cuda<cells_vector<K>>,
                         .unsupported = unaligned<K>,
                         .preferred = always<Args>});
    if constexpr (fields_of_role<K, Role::stencil_in> == 1 && fields_with<K>(is_written) == 1 &&
                  fields_of_role<K, Role::out> == 1 && !every_second_cell<K>)
      methods.push_back({.name = "column",
                         .space = column_space(K::description().column_cells),
                         .prepare = prepare_cuda<cells_column<K>>,
                         .preferred = prefers_column<K>,
                         .usual_in_fp64 = K::description().column_cells
                                              ? UsualValue{}
                                              : UsualValue{"cells", cells_in_16_bytes(8)}});
    return methods;
  }
}

}  // namespace cfdmark
