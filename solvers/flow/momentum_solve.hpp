// Both equations of momentum by red-black sweeps that end by their residual.
#pragma once

#include <array>
#include <memory>

#include "kernels/backends/judged_loop.hpp"
#include "solvers/core/recording.hpp"
#include "solvers/flow/sweeps.hpp"

namespace cfdmark {

// A value of 64 bits in a backend's memory: a reduction writes it, and sums take it as a field of one cell.
class DeviceSum {
 public:
  DeviceSum() = default;
  explicit DeviceSum(Backend& owner) : field_(owner, {1, 1}, Precision::fp64) {}
  AnyView view() const { return field_.view(); }
  double* data() const { return static_cast<double*>(view().origin); }

 private:
  Field field_;
};

// Sweeps until the residual of both equations together is a share, the tolerance, of what it was, but for the
// rounding of their terms; or as often as the settings allow. Momentum has the coupling's settings. On CUDA
// the device judges, as in InnerSolve.
class MomentumSolve {
 public:
  // `scratch`: a field that may change in each solve.
  MomentumSolve(FlowSystem&, const Coupling&, const Config& threads, const char* routine,
                const AnyView& scratch);
  MomentumSolve(const MomentumSolve&) = delete;  // what is recorded knows its place
  MomentumSolve& operator=(const MomentumSolve&) = delete;

  void operator()();

  // What follows is of the solves since reset().
  void reset() { loop_->reset(); }
  double mean_sweeps() const;   // of a solve
  Cost cost() const;            // of all
  Resources resources() const;  // of one, on average

 private:
  void run();
  void sweep(int count);
  void look(bool is_first);

  FlowSystem& flow_;
  bool is_recorded_;
  const char* routine_;
  int chunk_;
  std::array<Sweeps, 2> chunk_sweeps_, rest_sweeps_;  // of u and v
  std::array<PeriodicGhosts, 2> ghosts_;
  DeviceSum part_, sum_;
  std::vector<Operation> residual_, rounding_;  // leave squares in sum_; the second adds to the first
  std::unique_ptr<JudgedLoop> loop_;
  RecordedWork recorded_;  // behind the operations that it holds
};

}  // namespace cfdmark
