#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/variable_update/variable_layouts.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/variable_update/variable_update.cu";

// Returns a plan on structures, which are copied from the arrays when the step is loaded and back when it is
// stored.
template <class K, bool vectors>
Plan structures(Backend& backend, const CellArgs<K>& args, const Config& config) {
  constexpr int n = K::variables;
  const Extent t = block_of(config), blocks = blocks_over(args.grid(), t);
  return with_types(args.precision, [&]<class S, class C>() {
    constexpr int stride = vectors ? padded<S, n> : n;
    const Grid side_by_side = interleaved(args.grid(), stride);
    const Field q(backend, side_by_side, args.precision), rhs(backend, side_by_side, args.precision);
    auto copy = [&](bool in, bool of_rhs, const Field& to) {
      return Launch{{source, instance<S>("copy_structures", {n, stride, in, compiled_for(t)})},
                    blocks,
                    t,
                    Arguments(variable_views<S>(arrays_of(args, of_rhs)), to.view().template as<S>())};
    };
    const char* name = vectors ? "update_vector_loads" : "update_array_of_structures";
    return Plan{.run = {Launch{{source, instance<S, C>(name, {n, compiled_for(t)})},
                               blocks,
                               t,
                               Arguments(q.view().template as<S>(), rhs.view().template as<const S>(),
                                         C(args.kernel.dt))}},
                .load = {copy(true, false, q), copy(true, true, rhs)},
                .store = {copy(false, false, q)},
                .memory = {q.buffer(), rhs.buffer()}};
  });
}

// Returns the cost; padding of structures is moved too.
template <class K>
Cost padded_cost(const CellArgs<K>& args) {
  Cost cost = cell_cost(args);
  with_types(args.precision,
             [&]<class S, class C>() { cost.bytes *= double(padded<S, K::variables>) / K::variables; });
  return cost;
}

}  // namespace

template <class K>
Methods<CellArgs<K>> variables_cuda() {
  return {{"array_of_structures", block_space(), prepare_cuda<structures<K, false>>},
          {.name = "vector_loads",
           .space = block_space(),
           .prepare = prepare_cuda<structures<K, true>>,
           .cost = padded_cost<K>}};
}

template Methods<CellArgs<FourVariableUpdate>> variables_cuda();
template Methods<CellArgs<FiveVariableUpdate>> variables_cuda();

}  // namespace cfdmark
