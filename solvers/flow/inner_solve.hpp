// A linear system inside a flow iteration, solved from its present unknown by a solver of the linear table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cuda/runtime/convergence_loop.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Solver and stopping rule of an inner solve.
struct InnerSettings {
  std::string solver;            // name in the linear table
  int most = 1;                  // largest number of iterations
  double tolerance = 0;          // relative to the first residual; 0: always `most` iterations
  std::string method = "usual";  // of the solver, see inner_methods(); of sor: a kernel method
  bool same_operator = false;    // true: the operator never changes, so its set-up runs once
};

// Returns the method names that settings may use, for cg, pcg and bicgstab. `usual` is the fused method of cg
// if it exists, else its first; for other solvers it is their default method.
std::vector<std::string> inner_methods();
// Returns why a backend cannot solve a flow's equations with these settings; empty if it can.
std::string inner_refusal(BackendKind, const InnerSettings&, bool is_symmetric);

class InnerSolve {
 public:
  // Allocates memory. Takes from the config the settings that the solver has. The host never waits: on CUDA
  // the device tests the tolerance, and from its second call on a solve to a tolerance replays a graph,
  // unless it is part of a larger graph or timed by routine. Throws std::invalid_argument with the reason if
  // there is no such solver.
  InnerSolve(const System&, const InnerSettings&, const Config&);
  InnerSolve(const InnerSolve&) = delete;  // the recorded work refers to this object
  InnerSolve& operator=(const InnerSolve&) = delete;

  void operator()();
  bool has_tolerance() const { return loop_ != nullptr; }

  // Statistics of the solves since reset(). With a tolerance they are read from the backend; otherwise they
  // follow from the number of solves.
  void reset();
  double mean_iterations() const;  // per solve
  Cost cost(double solves) const;  // without the set-up of the operator
  Resources resources() const;     // of an average solve

 private:
  void run();

  InnerSettings settings_;
  const RoutineClock* clock_;
  bool is_periodic_;
  bool is_recorded_;
  std::unique_ptr<Iteration> iteration_;
  std::unique_ptr<DeviceConvergenceLoop> loop_;  // with a tolerance only
  RecordedWork recorded_;                        // after iteration_, whose kernels it holds
  bool is_started_ = false;                      // true: solves do not call start()
};

}  // namespace cfdmark
