// The launch of a batch of messages between devices. Code that includes this file needs no CUDA header.
#pragma once

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/plan/peer_plan.hpp"
#include "kernels/device/cuda/runtime/peer_exchange.hpp"

namespace cfdmark {

// Returns the launch for all of a batch but its copies. `arrived`: one word of the device, zero. `failure`:
// written by an Await that takes too long. `first_await`: number of the batch's first Await; the others
// follow. `most_seconds`: that an Await may take.
inline constexpr double most_seconds_of_an_await = 10;
Launch peer_launch(const PeerBatch&, unsigned* arrived, PeerFailure* failure, int first_await,
                   double most_seconds = most_seconds_of_an_await);

}  // namespace cfdmark
