// The launches of scattered_values.cu. Code that includes this file needs no CUDA header.
#pragma once

#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// Returns the launch that packs `count` values of `bytes` bytes, 4 or 8, into a message. `places`: their
// addresses, in memory of the device.
Launch pack_launch(const Buffer& places, const Buffer& message, int count, std::size_t bytes);
// Returns the launch that unpacks a message to these places.
Launch unpack_launch(const Buffer& message, const Buffer& places, int count, std::size_t bytes);

}  // namespace cfdmark
