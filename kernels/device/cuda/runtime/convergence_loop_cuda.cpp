#include "kernels/device/cuda/runtime/convergence_loop.hpp"

namespace cfdmark {

Launch DeviceConvergenceLoop::launch(LoopState* state, bool is_first, const double* square,
                                     double reduction_square, int done, int next, int most) {
  return {
      .function = {"kernels/device/cuda/runtime/convergence_loop.cu", instance<>("judge_loop", {is_first})},
      .blocks = {1},
      .threads = {1},
      .arguments = Arguments(state, square, reduction_square, done, next, most)};
}

std::function<void()> DeviceConvergenceLoop::judgement_on_cuda(bool is_first, int done, int next) const {
  Plan plan{.run = {launch(state(), is_first, square_, reduction_square_, done, next, most_)},
            .memory = {memory_}};
  return static_cast<CudaBackend&>(*backend_).prepare(std::move(plan)).run;
}

}  // namespace cfdmark
