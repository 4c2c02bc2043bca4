// Plans of work in two streams: a stream of higher priority, host code on streams, and plans of methods as
// parts of a larger plan.
#pragma once

#include <functional>

#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// The stream whose launches a device starts before waiting launches of other streams.
inline constexpr int urgent_stream = 2;

// The call of a HostCall whose work goes to another stream than 0. It gets the queue of that stream, which
// has no cuBLAS.
struct StreamCall {
  std::function<void(const CudaQueue&)> call;
  int stream = 0;
  int launches = 0;  // that it submits, for count_launches()

  void operator()(const CudaQueue& queue) const { call(queue); }
};

// Returns the stream to which host code submits.
int stream_of(const HostCall&);

// Returns the plan that `prepare` hands to a backend such as this one, without preparing it. Throws
// std::logic_error if it hands over no plan, or uses memory of its own.
Plan plan_of(CudaBackend&, const std::function<void(Backend&)>& prepare);

}  // namespace cfdmark
