// The flow around each outline of a batch: what an optimiser's engine provides.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/case/row.hpp"
#include "solvers/shape/outline.hpp"

namespace cfdmark {

// ok: converged. unconverged: the limit of iterations was reached, or the residual fell no more, as in a flow
// that is not steady. diverged: not finite, or with a residual above 0.01. infeasible: a constraint is
// violated, and no flow was solved. failed: it cannot be solved on this grid.
enum class EvaluationStatus { ok, unconverged, diverged, infeasible, failed };
std::string to_string(EvaluationStatus);
// Throws std::invalid_argument for another word.
EvaluationStatus evaluation_status_from(const std::string&);

struct FlowAround {
  EvaluationStatus status = EvaluationStatus::failed;
  std::string reason = {};  // why the status is not ok
  // Coefficients by the diameter of the circle of the same area. If unconverged, the drag is its mean over
  // the last tenth of the checks.
  double drag = 0, lift = 0;
  double drag_change = 0;  // largest less least drag over the last tenth of the checks
  int iterations = 0;
  double seconds = 0;  // of the solve alone; in a stack its share of the batch's time
};

// Above this share a residual says nothing of the drag: the flow counts as diverged.
inline constexpr double largest_residual = 0.01;

class OutlineEvaluator {
 public:
  virtual ~OutlineEvaluator() = default;
  // Solves the flow around each outline, in heights of the tunnel, and calls `ended` with its index and
  // result as soon as it is known, in any order, from one thread at a time. A shape's result does not depend
  // on the others. What `ended` throws ends the batch.
  virtual void evaluate(const std::vector<Outline>&,
                        const std::function<void(std::size_t, const FlowAround&)>& ended) = 0;
};

// How flows are solved: everything that their results depend on besides the outline.
struct TunnelFlow {
  const Row* row = nullptr;  // of the solver
  int device = 0;
  Grid grid;
  Config config;   // of the method, complete
  Config problem;  // of the tunnel, complete
  double tolerance = 1e-4;
  int max_iterations = 10000;
  double reference = 0.125;  // length of Reynolds number and coefficients
  int workers = 1;           // single flows at a time; more than one on the serial backend only
  int slots = 0;             // of a stack of flows in one grid; 0: single flows
};

// Returns an evaluator that solves one flow at a time on each worker. Throws std::invalid_argument for
// several workers on a backend that shares its threads.
std::unique_ptr<OutlineEvaluator> single_flows(const TunnelFlow&);
// Returns an evaluator that solves `slots` flows as one (solvers/flow/flow_batch.hpp). Throws
// std::invalid_argument for settings that a stack does not support.
std::unique_ptr<OutlineEvaluator> stacked_flows(const TunnelFlow&);
// Returns the one or the other.
std::unique_ptr<OutlineEvaluator> evaluator_of(const TunnelFlow&);

}  // namespace cfdmark
