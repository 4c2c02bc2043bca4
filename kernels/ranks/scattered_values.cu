// Copies between values at any places of a device's memory and a contiguous message. NVRTC reads this file,
// so it includes no standard header.
namespace cfdmark {

// W: a word as wide as a value, so that every bit is kept.
template <class W, int threads>
__global__ void __launch_bounds__(threads) pack_values(W* const* places, W* message, int count) {
  const int n = int(blockIdx.x) * threads + int(threadIdx.x);
  if (n < count) message[n] = *places[n];
}
template <class W, int threads>
__global__ void __launch_bounds__(threads) unpack_values(const W* message, W* const* places, int count) {
  const int n = int(blockIdx.x) * threads + int(threadIdx.x);
  if (n < count) *places[n] = message[n];
}

}  // namespace cfdmark
