// A backend as Ginkgo sees it.
#pragma once

#include <ginkgo/ginkgo.hpp>

#include <functional>
#include <memory>

#include "kernels/backends/backend.hpp"
#include "kernels/core/operator.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

// An executor, and in its memory two vectors of as many values as a field has cells: Ginkgo knows no ghosts.
class GinkgoDevice {
 public:
  virtual ~GinkgoDevice() = default;
  virtual std::shared_ptr<gko::Executor> executor() const = 0;
  virtual void* right_hand_side() const = 0;
  virtual void* answer() const = 0;
  // Calls what prepares for the executor, with the threads that it is to use.
  virtual void set_up(const std::function<void()>& prepare) const = 0;
  // The field's cells to the right-hand side, `solve`, and the answer to the field's cells.
  virtual Step solving(const AnyView& field, std::function<void()> solve) const = 0;
};

// On a device (ginkgo_cuda.cpp), whose backend is a CudaBackend.
std::unique_ptr<GinkgoDevice> ginkgo_on_cuda(Backend&, const Grid&, Precision storage);

}  // namespace cfdmark
