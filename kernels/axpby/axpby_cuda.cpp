#include <algorithm>

#include "kernels/axpby/axpby.hpp"
#include "kernels/backends/cuda_blocks.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/axpby/axpby.cu";

Plan sweep(const char* name, const AxpbyArgs& args, const Config& config, int cells_x) {
  return with_axpby_types(args, [&]<class X, class Y, class C>() {
    const Extent t = block_of(config);
    return Plan{.run = {Launch{{source, instance<X, Y, C>(name, {args.reads_y(), t.x, t.y, t.z})},
                               blocks_over(args.grid, t, {cells_x, 1, 1}), t,
                               Arguments(args.alpha, args.x.as<const X>(), args.beta, args.y.as<Y>())}}};
  });
}

Plan plain(Backend&, const AxpbyArgs& args, const Config& config) { return sweep("axpby_plain", args, config, 1); }
Plan vector(Backend&, const AxpbyArgs& args, const Config& config) {
  const int narrower = int(std::min(stored_bytes(args.x_storage), stored_bytes(args.y_storage)));
  return sweep("axpby_vector", args, config, 16 / narrower);
}

}  // namespace

Methods<AxpbyArgs> axpby_cuda() {
  return {{"plain", block_space(), prepare_cuda<plain>}, {"vector", block_space(), prepare_cuda<vector>}};
}

}  // namespace cfdmark
