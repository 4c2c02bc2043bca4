#include "kernels/device/cuda/runtime/convergence_loop.hpp"

#include <algorithm>
#include <cstddef>

namespace cfdmark {

void repeat_while(Backend& backend, const double* more, const std::function<void()>& work) {
  if (auto* const recorder = dynamic_cast<LoopRecorder*>(&backend))
    if (recorder->record_loop(more, work)) return;
  const auto goes_on = [&] {
    double value = 0;
    backend.fence();
    backend.download(&value, more, sizeof value);
    return value != 0;
  };
  while (goes_on()) work();
}

DeviceConvergenceLoop::DeviceConvergenceLoop(Backend& backend, const double* square, double reduction,
                                             int chunk, int most)
    : backend_(&backend),
      memory_(backend, sizeof(LoopState)),
      square_(square),
      reduction_square_(reduction * reduction),
      chunk_(std::min(chunk, most)),
      rest_(most % chunk_),
      most_(most),
      first_(judgement(true, 0, chunk_)),
      next_(judgement(false, chunk_, chunk_)),
      before_rest_(judgement(false, 0, rest_)),
      after_rest_(judgement(false, rest_, rest_)) {
  // A backend that records loops loads their code at its first loop. That may have to wait for the device,
  // and must not happen while another one waits for it.
  if (auto* const recorder = dynamic_cast<LoopRecorder*>(&backend)) recorder->record_loop(nullptr, [] {});
  reset();
}

void DeviceConvergenceLoop::operator()(const std::function<void(int)>& iterate,
                                       const std::function<void()>& check_residual) const {
  const double* const more = reinterpret_cast<const double*>(static_cast<const std::byte*>(memory_.data()) +
                                                             offsetof(LoopState, more));
  check_residual();
  first_();
  repeat_while(*backend_, more, [&] {
    iterate(chunk_);
    check_residual();
    next_();
  });
  if (rest_ == 0) return;
  before_rest_();
  repeat_while(*backend_, more, [&] {
    iterate(rest_);
    check_residual();
    after_rest_();
  });
}

void DeviceConvergenceLoop::reset() { backend_->set_zero(memory_.data(), sizeof(LoopState)); }

DeviceConvergenceLoop::Counts DeviceConvergenceLoop::counts() const {
  LoopState now;
  backend_->fence();
  backend_->download(&now, memory_.data(), sizeof now);
  return {now.all_loops, now.all_iterations, now.all_looks};
}

std::function<void()> DeviceConvergenceLoop::judgement(bool is_first, int done, int next) const {
  if (!backend_->host_accessible()) return judgement_on_cuda(is_first, done, next);
  return [=, backend = backend_, memory = memory_, square = square_, reduction_square = reduction_square_,
          most = most_] {
    backend->fence();
    judge(*static_cast<LoopState*>(memory.data()), is_first, *square, reduction_square, done, next, most);
  };
}

}  // namespace cfdmark
