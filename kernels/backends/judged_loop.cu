// NVRTC reads this file: no standard header here.
#include "kernels/backends/loop_state.hpp"

namespace cfdmark {

// By one thread.
template <int is_first>
__global__ void judge_loop(LoopState* state, const double* square, double reduction_square, int done,
                           int next, int most) {
  judge(*state, is_first != 0, *square, reduction_square, done, next, most);
}

}  // namespace cfdmark
