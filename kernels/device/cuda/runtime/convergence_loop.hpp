// Iterates until the squared norm, a value in the backend's memory, has fallen far enough. On CUDA the test
// runs on the device: a captured loop becomes part of the graph, and no host waits.
#pragma once

#include <functional>

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/runtime/loop_state.hpp"

namespace cfdmark {

// Implemented by backends that can capture a loop (Backend::recorded).
class LoopRecorder {
 public:
  virtual ~LoopRecorder() = default;
  // Captures `work` as a loop that repeats while *more is nonzero. Capture runs the host code of `work` once,
  // whatever *more is. Returns false and does nothing if no capture is in progress.
  virtual bool record_loop(const double* more, const std::function<void()>& work) = 0;
};

// Repeats `work` while *more, in the backend's memory, is nonzero. *more is tested before each repetition: by
// the host, or during a capture by the graph.
void repeat_while(Backend&, const double* more, const std::function<void()>& work);

// A loop of iterations with a convergence test in the backend's memory.
class DeviceConvergenceLoop {
 public:
  struct Counts {
    double loops = 0, iterations = 0, looks = 0;  // since the last reset; looks: convergence tests
  };

  // `square`: address of the squared norm. A loop ends at `reduction` times the first norm or after `most`
  // iterations. The norm is tested every `chunk` iterations; the last interval may be shorter.
  DeviceConvergenceLoop(Backend&, const double* square, double reduction, int chunk, int most);

  // Runs one loop. iterate(n) performs n iterations, check_residual() computes the squared norm. Both only
  // submit work to the backend, the same each time.
  void operator()(const std::function<void(int)>& iterate, const std::function<void()>& check_residual) const;

  void reset();           // clears the counts
  Counts counts() const;  // counts since the last reset; waits for the backend

  // Returns the launch of the convergence test on CUDA.
  static Launch launch(LoopState*, bool is_first, const double* square, double reduction_square, int done,
                       int next, int most);

 private:
  std::function<void()> judgement(bool is_first, int done, int next) const;
  std::function<void()> judgement_on_cuda(bool is_first, int done, int next) const;
  LoopState* state() const { return static_cast<LoopState*>(memory_.data()); }

  Backend* backend_;
  Buffer memory_;  // a LoopState
  const double* square_;
  double reduction_square_;
  int chunk_, rest_, most_;
  std::function<void()> first_, next_, before_rest_, after_rest_;
};

}  // namespace cfdmark
