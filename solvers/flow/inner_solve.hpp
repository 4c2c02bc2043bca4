// Solves a linear system inside a flow iteration, starting from its present unknown. The solver is one of the
// linear solvers of this project (solver_table() in solvers/linear/table.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cuda/runtime/convergence_loop.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Solver and stopping rule of an inner solve.
struct InnerSettings {
  std::string solver;    // name in the linear table
  int most = 1;          // largest number of iterations
  double tolerance = 0;  // relative to the first residual; 0: always `most` iterations
  // Method of the solver, see inner_methods(). PressureSolve, which makes a fixed number of passes of sor
  // without a solver, takes the name of a red-black kernel's method.
  std::string method = "usual";
  bool same_operator = false;  // true: multigrid makes its coarse operators at reset(), not in each solve
};

// Returns the method names that settings may use. Names other than `usual` are for cg, pcg and bicgstab. For
// cg, `usual` is the fused method if it supports the system, else the first method that does. For other
// solvers it is the default method.
std::vector<std::string> inner_methods();
// Returns why a backend cannot solve a flow's equations with these settings; empty if it can.
std::string inner_refusal(BackendKind, const InnerSettings&, bool is_symmetric);

class InnerSolve {
 public:
  // Allocates memory. Takes from the config the settings that the solver has. On CUDA the device tests the
  // tolerance, and the host does not wait for it. From its second call on a solve to a tolerance replays a
  // CUDA graph, unless it is part of a larger graph or timed by routine. On ranks of CUDA there are no
  // graphs, and each host reads the result of its device's test. Throws std::invalid_argument with the reason
  // if the solver does not exist or does not support the system.
  InnerSolve(const System&, const InnerSettings&, const Config&);
  InnerSolve(const InnerSolve&) = delete;  // the recorded work refers to this object
  InnerSolve& operator=(const InnerSolve&) = delete;

  void operator()();
  bool has_tolerance() const { return loop_ != nullptr; }

  // Clears the statistics, which count the solves since then. With a tolerance they are read from the
  // backend. Without one each solve performs `most` iterations. Call it when a flow starts, after its
  // operator was uploaded.
  void reset();
  double mean_iterations() const;  // per solve
  // Returns the declared cost of `solves` solves, or with a tolerance of those counted. Includes start()
  // where each solve calls it, but not where reset() does.
  Cost cost(double solves) const;
  Resources resources() const;  // of an average solve

 private:
  void run();

  InnerSettings settings_;
  const RoutineClock* clock_;
  bool exchanges_;  // ghosts across periodic sides or cuts
  bool is_recorded_;
  std::unique_ptr<Iteration> iteration_;
  std::unique_ptr<DeviceConvergenceLoop> loop_;  // with a tolerance only
  RecordedWork recorded_;                        // after iteration_, whose kernels it holds
  bool is_started_ = false;                      // true: solves do not call start()
};

}  // namespace cfdmark
