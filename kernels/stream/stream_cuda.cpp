#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/stream/stream.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/stream/stream.cu";

Plan sweep(const char* name, const StreamArgs& args, const Config& config, int cells_x) {
  return with_types(args.precision, [&]<class S, class C>() {
    const Extent t = block_of(config);
    const bool triad = args.operation == StreamOperation::triad;
    const auto c = (triad ? args.c : args.b).template as<const S>();
    return Plan{.run = {Launch{{source, instance<S, C>(name, {triad, t.x, t.y, t.z})},
                               blocks_over(args.grid, t, {cells_x, 1, 1}),
                               t,
                               Arguments(args.b.as<const S>(), C(args.s), c, args.a.as<S>())}}};
  });
}

Plan plain(Backend&, const StreamArgs& args, const Config& config) {
  return sweep("stream_plain", args, config, 1);
}
Plan vector(Backend&, const StreamArgs& args, const Config& config) {
  return sweep("stream_vector", args, config, 16 / int(stored_bytes(args.precision)));
}

}  // namespace

Methods<StreamArgs> stream_cuda() {
  return {{"plain", block_space(), prepare_cuda<plain>},
          {.name = "vector",
           .space = block_space(),
           .prepare = prepare_cuda<vector>,
           .preferred = always<StreamArgs>}};
}

}  // namespace cfdmark
