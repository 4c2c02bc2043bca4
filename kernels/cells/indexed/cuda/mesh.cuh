// Device code of the CUDA methods that follow from the body of a kernel on a mesh (indexed_cell.hpp). NVRTC
// reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

// Method `plain`: one thread per entity.
template <class K, class V, class Lists, int most_threads>
__global__ void __launch_bounds__(most_threads)
    entities_plain(K kernel, typename K::template Fields<V> fields, Lists lists, int entities) {
  const int e = int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  if (e < entities) sweep_entity<V>(kernel, fields, lists, e);
}

}  // namespace cfdmark
