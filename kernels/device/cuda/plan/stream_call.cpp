#include "kernels/device/cuda/plan/stream_call.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

namespace cfdmark {

int stream_of(const HostCall& call) {
  const auto* of_stream = call.call.target<StreamCall>();
  return of_stream ? of_stream->stream : 0;
}

namespace {

// Keeps the plan that is prepared on it.
class PlanTaker final : public CudaBackend {
 public:
  explicit PlanTaker(CudaBackend& on) : on_(on) {}
  const std::optional<Plan>& taken() const { return taken_; }

  Step prepare(Plan plan) override {
    taken_ = std::move(plan);
    return {};
  }
  int index() const override { return on_.index(); }
  int resident_blocks(const Launch& launch) override { return on_.resident_blocks(launch); }
  void* allocate(std::size_t) override { refuse(); }
  void release(void*) noexcept override {}
  void upload(void*, const void*, std::size_t) override { refuse(); }
  void download(void*, const void*, std::size_t) override { refuse(); }
  void copy(void*, const void*, std::size_t) override { refuse(); }
  void set_zero(void*, std::size_t) override { refuse(); }
  std::size_t free_memory() const override { return on_.free_memory(); }
  std::size_t last_level_cache() const override { return on_.last_level_cache(); }

 private:
  [[noreturn]] static void refuse() {
    throw std::logic_error("a method with memory of its own cannot be taken as a plan");
  }

  CudaBackend& on_;
  std::optional<Plan> taken_;
};

}  // namespace

Plan plan_of(CudaBackend& on, const std::function<void(Backend&)>& prepare) {
  PlanTaker taker(on);
  prepare(taker);
  if (!taker.taken()) throw std::logic_error("nothing was prepared to be taken as a plan");
  return *taker.taken();
}

}  // namespace cfdmark
