// A backend as a Ginkgo executor.
#pragma once

#include <ginkgo/ginkgo.hpp>

#include <functional>
#include <memory>

#include "kernels/core/operator.hpp"
#include "kernels/core/step.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

// An executor, with two vectors in its memory that hold the interior cells of a field; Ginkgo has no ghosts.
class GinkgoDevice {
 public:
  virtual ~GinkgoDevice() = default;
  virtual std::shared_ptr<gko::Executor> executor() const = 0;
  virtual void* right_hand_side() const = 0;
  virtual void* answer() const = 0;
  // Calls prepare() with the number of threads that the executor is to use.
  virtual void set_up(const std::function<void()>& prepare) const = 0;
  // Returns a step that copies the interior of `field` to the right-hand side, calls solve() and copies the
  // answer back to `field`.
  virtual Step solving(const AnyView& field, std::function<void()> solve) const = 0;
};

// Returns the executor of a CUDA device (ginkgo_cuda.cpp). The backend must be a CudaBackend.
std::unique_ptr<GinkgoDevice> ginkgo_on_cuda(Backend&, const Grid&, Precision storage);

}  // namespace cfdmark
