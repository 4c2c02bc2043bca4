#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/four_variable_update/four_variable_layouts.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/four_variable_update/four_variable_update.cu";

// Structures of their own, copied from the arrays when the step is loaded and back when it is stored.
Plan structures(const char* name, Backend& backend, const FourVariableArgs& args, const Config& config) {
  const Extent t = block_of(config), blocks = blocks_over(args.grid(), t);
  const Field q(backend, interleaved(args.grid()), args.precision),
      rhs(backend, interleaved(args.grid()), args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    auto copy = [&](bool in, const std::array<AnyView, 4>& arrays, const Field& to) {
      return Launch{{source, instance<S>("copy_structures", {in, t.x, t.y, t.z})},
                    blocks,
                    t,
                    Arguments(four_views<S>(arrays), to.view().as<S>())};
    };
    return Plan{.run = {Launch{{source, instance<S, C>(name, {t.x, t.y, t.z})},
                               blocks,
                               t,
                               Arguments(q.view().as<S>(), rhs.view().as<const S>(), C(args.kernel.dt))}},
                .load = {copy(true, q_of(args), q), copy(true, rhs_of(args), rhs)},
                .store = {copy(false, q_of(args), q)},
                .memory = {q.buffer(), rhs.buffer()}};
  });
}

Plan array_of_structures(Backend& b, const FourVariableArgs& a, const Config& c) {
  return structures("update_array_of_structures", b, a, c);
}
Plan vector_loads(Backend& b, const FourVariableArgs& a, const Config& c) {
  return structures("update_vector_loads", b, a, c);
}

}  // namespace

Methods<FourVariableArgs> four_variable_cuda() {
  return {{"array_of_structures", block_space(), prepare_cuda<array_of_structures>},
          {"vector_loads", block_space(), prepare_cuda<vector_loads>}};
}

}  // namespace cfdmark
