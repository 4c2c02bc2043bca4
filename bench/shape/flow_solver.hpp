// Solves flows of one tunnel that a caller makes: one at a time, or in a stack.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/shape/outline_evaluator.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

class FlowSolver {
 public:
  virtual ~FlowSolver() = default;

  // Returns the flow of a number. What it throws as std::invalid_argument is the reason of a failed one.
  // Several threads may call it.
  using Make = std::function<std::shared_ptr<const FlowProblem>(std::size_t)>;
  struct Calls {
    // Called with each result, from one thread at a time, and with the flow if it is wanted and finite, else
    // null. What it throws ends the solves.
    std::function<void(std::size_t, const FlowAround&, const FlowFields*)> ended;
    bool wants_flows = false;
    // Called at each check of a flow that goes on, if set, from several threads. True stops it.
    std::function<bool(std::size_t, const std::vector<ForceLook>&)> stops = nullptr;
  };
  virtual void solve(std::size_t flows, const Make&, const Calls&) = 0;
};

// Returns a solver of one flow at a time on each worker. Throws std::invalid_argument for several workers on
// a backend that shares its threads.
std::unique_ptr<FlowSolver> single_flows(const TunnelFlow&);
// Returns a solver of `slots` flows as one (solvers/flow/flow_batch.hpp). Throws std::invalid_argument for
// settings that a stack does not support.
std::unique_ptr<FlowSolver> stacked_flows(const TunnelFlow&);
// Returns the one or the other by `slots`, on each of several devices, which share a batch.
std::unique_ptr<FlowSolver> flow_solver_of(const TunnelFlow&);

}  // namespace cfdmark
