// Shared parts of passes that apply several iterations to strips of rows. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/device/cuda/primitives/device.cuh"

namespace cfdmark {

// A cell and its four neighbours in registers, as an accessor for the formulas.
template <class S, class C>
struct FivePoints {
  S centre, west, east, south, north;
  __device__ __forceinline__ C operator()(int di, int dj, int) const {
    return C(di < 0 ? west : di > 0 ? east : dj < 0 ? south : dj > 0 ? north : centre);
  }
};

// Stores the values in columns begin to end - 1 of a pack that starts at column i.
template <int n, class T>
__device__ __forceinline__ void store_between(T* first, const Pack<T, n>& pack, int i, int begin, int end) {
  if (i >= begin && i + n <= end) {
    *reinterpret_cast<Pack<T, n>*>(first) = pack;
    return;
  }
#pragma unroll
  for (int m = 0; m < n; ++m)
    if (i + m >= begin && i + m < end) first[m] = pack.value[m];
}

}  // namespace cfdmark
