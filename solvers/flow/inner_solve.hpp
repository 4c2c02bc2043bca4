// A linear system inside an iteration of a flow, solved from its unknown as it is by a solver of the linear
// table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/backends/judged_loop.hpp"
#include "solvers/linear/method.hpp"

namespace cfdmark {

// How far it is solved.
struct InnerSettings {
  std::string solver;            // of the linear table
  int most = 1;                  // iterations
  double tolerance = 0;          // of the residual, relative to the first; 0: always `most`
  std::string method = "usual";  // the solver's; usual: as inner_methods() says. Of sweeps: the kernel's
  bool same_operator = false;    // in every solve: what follows from it is made once
};

// The methods that may be named, of (bi)conjugate gradients; usual is cg's fused one where there is one, else
// the first, and of other solvers the one where nobody chose.
std::vector<std::string> inner_methods();
// Why a backend cannot solve the equations of a flow so; empty if it can.
std::string inner_refusal(BackendKind, const InnerSettings&, bool is_symmetric);

class InnerSolve {
 public:
  // With memory allocated. Of the config matters what the solver has by that name. The host waits for
  // nothing: on CUDA a tolerance is judged there, and a solve to a tolerance is a graph of its own from the
  // second on, unless it is recorded within a larger one or timed by routine. Throws std::invalid_argument
  // with the reason if there is no such solver.
  InnerSolve(const System&, const InnerSettings&, const Config&);
  InnerSolve(const InnerSolve&) = delete;  // what is recorded knows its place
  InnerSolve& operator=(const InnerSolve&) = delete;

  void operator()();
  bool has_tolerance() const { return loop_ != nullptr; }

  // What follows is of the solves since reset(). Where there is a tolerance it is asked of the backend, which
  // alone knows; else it follows from how many there were.
  void reset();
  double mean_iterations() const;  // of a solve
  Cost cost(double solves) const;  // without what starts it
  Resources resources() const;     // of one, on average

 private:
  void run();

  InnerSettings settings_;
  const RoutineClock* clock_;
  bool is_periodic_;
  bool is_recorded_;
  std::unique_ptr<Iteration> iteration_;
  std::unique_ptr<JudgedLoop> loop_;  // where there is a tolerance
  RecordedWork recorded_;             // behind the iteration, whose kernels it holds
  bool is_started_ = false;           // the next solve needs no start
};

}  // namespace cfdmark
