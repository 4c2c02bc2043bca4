// NVRTC reads this file, so it includes no standard header.
#include "kernels/device/cuda/runtime/loop_state.hpp"

namespace cfdmark {

// Runs in one thread.
template <int is_first>
__global__ void judge_loop(LoopState* state, const double* square, double reduction_square, int done,
                           int next, int most) {
  judge(*state, is_first != 0, *square, reduction_square, done, next, most);
}

}  // namespace cfdmark
