// Solves the momentum equations of u and v by red-black passes up to a residual tolerance.
#pragma once

#include <array>
#include <memory>

#include "kernels/device/cuda/runtime/convergence_loop.hpp"
#include "solvers/base/recording.hpp"
#include "solvers/flow/sweeps.hpp"

namespace cfdmark {

// A 64-bit value in a backend's memory: the result of a reduction that axpy can read as a field of one cell.
class DeviceSum {
 public:
  DeviceSum() = default;
  explicit DeviceSum(Backend& owner) : field_(owner, {1, 1}, Precision::fp64) {}
  AnyView view() const { return field_.view(); }
  double* data() const { return static_cast<double*>(view().origin); }

 private:
  Field field_;
};

// Iterates until the joint residual of both equations has fallen by momentum_tolerance or reached the
// rounding of its terms, at most momentum_sweeps times. On CUDA the device tests the residual, as in
// InnerSolve.
class MomentumSolve {
 public:
  // `scratch`: a field that each solve may overwrite.
  MomentumSolve(FlowSystem&, const Coupling&, const Config& threads, const char* routine,
                const AnyView& scratch);
  MomentumSolve(const MomentumSolve&) = delete;  // the recorded work refers to this object
  MomentumSolve& operator=(const MomentumSolve&) = delete;

  void operator()();

  // Statistics of the solves since reset().
  void reset() { loop_->reset(); }
  double mean_sweeps() const;   // passes per solve
  Cost cost() const;            // of all solves
  Resources resources() const;  // of an average solve

 private:
  void run();
  void sweep(int count);
  void check_residual(bool is_first);

  FlowSystem& flow_;
  bool is_recorded_;
  const char* routine_;
  int chunk_;
  std::array<Sweeps, 2> chunk_sweeps_, rest_sweeps_;  // for u and v
  std::array<PeriodicGhosts, 2> ghosts_;
  DeviceSum part_, sum_;
  std::vector<Operation> residual_, rounding_;  // leave squares in sum_; rounding_ adds to the residual
  std::unique_ptr<DeviceConvergenceLoop> loop_;
  RecordedWork recorded_;  // after the operations that it holds
};

}  // namespace cfdmark
