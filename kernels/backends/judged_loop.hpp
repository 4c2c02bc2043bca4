// Iterations until the square of a norm, which lies in a backend's memory, has fallen far enough. On CUDA it
// is judged there: recorded, such a loop is part of the graph, and no host waits.
#pragma once

#include <functional>

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/loop_state.hpp"

namespace cfdmark {

// What a backend is that can put a loop into what it records (Backend::recorded).
class LoopRecorder {
 public:
  virtual ~LoopRecorder() = default;
  // Puts `work`, to be repeated for as long as *more is not 0, into what is being recorded: runs its host
  // code once, whatever *more is. False, and nothing is done, if nothing is being recorded.
  virtual bool record_loop(const double* more, const std::function<void()>& work) = 0;
};

// Does `work` for as long as *more, in the backend's memory, is not 0; it is looked at before each time, by
// the host unless this is being recorded.
void repeat_while(Backend&, const double* more, const std::function<void()>& work);

class JudgedLoop {
 public:
  struct Counts {
    double loops = 0, iterations = 0, looks = 0;
  };

  // Of a norm whose square is made at `square`. A loop ends at `reduction` times the first norm or after
  // `most` iterations; between two looks are `chunk`, and before the last what is left of them.
  JudgedLoop(Backend&, const double* square, double reduction, int chunk, int most);

  // iterate(n) does n iterations, and look() makes the square. Both only give work to the backend, the same
  // each time.
  void operator()(const std::function<void(int)>& iterate, const std::function<void()>& look) const;

  void reset();           // the counts
  Counts counts() const;  // since then. Waits for the backend.

  // What it launches, on CUDA.
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
