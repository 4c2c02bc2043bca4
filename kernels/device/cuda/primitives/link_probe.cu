// Measures a link between two devices by stores of kernels. NVRTC reads this file, so it includes no standard
// header.
#include "kernels/device/cuda/primitives/link_probe.hpp"
#include "kernels/device/cuda/runtime/system_flags.cuh"

namespace cfdmark {

// Copies words between memory that this device reaches.
template <int threads>
__global__ void __launch_bounds__(threads) copy_words(const LinkWord* from, LinkWord* to, long long count) {
  const long long stride = (long long)(gridDim.x) * threads;
  for (long long n = (long long)(blockIdx.x) * threads + threadIdx.x; n < count; n += stride) to[n] = from[n];
}

__device__ __forceinline__ unsigned long long message_of(int round) {
  return 0x9e3779b97f4a7c15ull * (unsigned long long)(round);
}

__device__ __forceinline__ void send_round(LinkMailbox* to, int round) {
  to->value = message_of(round);
  set_flag(&to->flag, (unsigned long long)(round));
}

// One of two sides that answer each other, in one thread: the first sends a message, the second answers it.
template <int is_first>
__global__ void answer_rounds(LinkMailbox* mine, LinkMailbox* other, int rounds, unsigned long long limit) {
  for (int round = 1; round <= rounds; ++round) {
    if (is_first) send_round(other, round);
    if (!wait_for_flag(&mine->flag, (unsigned long long)(round), limit)) {
      mine->late = (unsigned long long)(round);
      return;
    }
    if (mine->value != message_of(round)) ++mine->wrong;
    if (!is_first) send_round(other, round);
  }
}

}  // namespace cfdmark
