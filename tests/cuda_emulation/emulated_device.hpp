// A CUDA device emulated on the host, so that device code can be tested without a GPU. Included before a .cu
// file, it defines the CUDA C++ keywords that kernels use. The threads of a block alternate: a thread runs
// until it waits for others. Blocks run one after another. Blocks of a cooperative launch alternate too, each
// on a host thread of its own, whose thread_local variables are the block's shared memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark::emulation {

struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};
// Indices of the running thread.
extern constinit thread_local Index3 thread_index, block_index, block_shape, block_count;

void wait_for_block();
// Publishes `value` to the other threads of the warp and returns that of lane `from`.
double exchange_in_warp(double value, int from);
int lane();
// Lets other blocks run, for a thread that waits for them. Throws std::logic_error if the launch is not
// cooperative, or if all blocks wait for each other.
void wait_for_blocks();

inline constexpr int most_shared_bytes = 227 * 1024;  // dynamic, per block

// Runs `thread` once for each thread of each block. Throws what a thread throws, and std::logic_error if a
// block wrote beyond its dynamic shared memory.
void launch(Extent blocks, Extent threads, const std::function<void()>& thread, int shared_bytes = 0,
            bool cooperative = false);

// A device function. It copies the arguments at the given addresses, as a launch does, and returns the work
// of one thread.
using Function = std::function<std::function<void()>(void**)>;
using FunctionTable = std::map<std::string, Function>;  // by expression

template <class... Parameters, std::size_t... n>
Function callable(void (*f)(Parameters...), std::index_sequence<n...>) {
  return [f](void** arguments) {
    return [f, copies = std::tuple<Parameters...>(*static_cast<Parameters*>(arguments[n])...)] {
      std::apply(f, copies);
    };
  };
}
template <class... Parameters>
Function callable(void (*f)(Parameters...)) {
  return callable(f, std::index_sequence_for<Parameters...>{});
}

}  // namespace cfdmark::emulation

namespace cfdmark {

using std::max;
using std::min;

template <class T>
T __ldg(const T* p) {
  return *p;
}
inline void __syncthreads() { emulation::wait_for_block(); }
inline void __threadfence() {}
inline void __nanosleep(unsigned) { emulation::wait_for_blocks(); }
// Threads and blocks alternate, so nothing can intervene.
template <class T>
T atomicAdd(T* to, T value) {
  const T before = *to;
  *to += value;
  return before;
}
// A float or an index survives the conversion to double and back.
inline void __syncwarp() { emulation::exchange_in_warp(0, emulation::lane()); }
template <class T>
T __shfl_sync(unsigned, T value, int from) {
  return T(emulation::exchange_in_warp(double(value), from));
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int by) {
  return T(emulation::exchange_in_warp(double(value), emulation::lane() ^ by));
}
template <class T>
T __shfl_up_sync(unsigned, T value, int by) {
  return T(emulation::exchange_in_warp(double(value), std::max(emulation::lane() - by, 0)));
}
template <class T>
T __shfl_down_sync(unsigned, T value, int by) {
  return T(emulation::exchange_in_warp(double(value), std::min(emulation::lane() + by, 31)));
}

}  // namespace cfdmark

#define __global__
#define __device__
#define __shared__ thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define threadIdx ::cfdmark::emulation::thread_index
#define blockIdx ::cfdmark::emulation::block_index
#define blockDim ::cfdmark::emulation::block_shape
#define gridDim ::cfdmark::emulation::block_count
