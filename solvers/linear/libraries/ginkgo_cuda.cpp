#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "solvers/linear/libraries/ginkgo_device.hpp"

namespace cfdmark {
namespace {

// Uses the backend's stream, so that Ginkgo's work is ordered with the project's own.
class GinkgoOnCuda final : public GinkgoDevice {
 public:
  GinkgoOnCuda(CudaBackend& backend, const Grid& grid, Precision storage)
      : backend_(backend), right_hand_side_(backend, grid, storage), answer_(backend, grid, storage) {
    if (only_counts(backend)) return;
    const auto make = [this](const CudaQueue& queue) {
      executor_ = gko::CudaExecutor::create(backend_.index(), gko::OmpExecutor::create(),
                                            std::make_shared<gko::CudaAllocator>(), queue.stream);
    };
    backend.prepare({.run = {HostCall{make}}}).run();
  }

  std::shared_ptr<gko::Executor> executor() const override { return executor_; }
  void* right_hand_side() const override { return right_hand_side_.data(); }
  void* answer() const override { return answer_.data(); }
  void set_up(const std::function<void()>& prepare) const override {
    prepare();
    executor_->synchronize();
  }
  Step solving(const AnyView& field, std::function<void()> solve) const override {
    const HostCall call{[solve = std::move(solve)](const CudaQueue&) { solve(); }};
    return backend_.prepare({.run = {right_hand_side_.copy_from(field), call, answer_.copy_to(field)}});
  }

 private:
  CudaBackend& backend_;
  DenseField right_hand_side_, answer_;
  std::shared_ptr<gko::CudaExecutor> executor_;
};

}  // namespace

std::unique_ptr<GinkgoDevice> ginkgo_on_cuda(Backend& backend, const Grid& grid, Precision storage) {
  return std::make_unique<GinkgoOnCuda>(static_cast<CudaBackend&>(backend), grid, storage);
}

}  // namespace cfdmark
