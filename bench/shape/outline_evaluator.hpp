// The flow around each outline of a batch: what an optimiser's engine provides.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/case/row.hpp"
#include "solvers/flow/flow_batch.hpp"
#include "solvers/problems/flow_start.hpp"
#include "solvers/shape/outline.hpp"

namespace cfdmark {

// ok: converged. unconverged: the limit of iterations was reached, or the residual fell no more, as in a flow
// that is not steady. diverged: not finite, or with a residual above 0.01. infeasible: a constraint is
// violated, and no flow was solved. failed: it cannot be solved on this grid. stopped: its drag was certainly
// worse than a threshold before it had converged.
enum class EvaluationStatus { ok, unconverged, diverged, infeasible, failed, stopped };
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
  int start_iterations = 0;    // on coarser grids, in iterations of this grid with as many cell updates
  double seconds = 0;          // of the solve and its start; in a stack their share of the batch's time
  std::string start = "rest";  // the start that was used: rest, coarse or nearest
};

// Above this share a residual says nothing of the drag: the flow counts as diverged.
inline constexpr double largest_residual = 0.01;

// How flows start. rest: at rest. coarse: from the flow around the same outline on coarser grids. nearest:
// from the flow around the nearest outline of the generation before (OutlineEvaluator::start_of).
enum class FlowStart { rest, coarse, nearest };
std::string to_string(FlowStart);
inline constexpr FlowStart all_flow_starts[] = {FlowStart::rest, FlowStart::coarse, FlowStart::nearest};

class OutlineEvaluator {
 public:
  virtual ~OutlineEvaluator() = default;

  // Returns the flow from which that of an outline starts, if set; null: from rest. Several threads call it.
  std::function<std::shared_ptr<const KnownFlow>(std::size_t)> start_of = nullptr;
  // Called with the flow around an outline that has converged, if set, before `ended`.
  std::function<void(std::size_t, const std::shared_ptr<const KnownFlow>&)> on_flow = nullptr;
  // Called at each check of a flow, if set, with its coefficients so far, from several threads. True stops
  // it.
  std::function<bool(std::size_t, const std::vector<ForceLook>&)> stops = nullptr;

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
  std::vector<int> devices = {};  // that share a batch; fewer than two: `device` alone
  Grid grid;
  Config config;                // of the method, complete
  std::string name = "tunnel";  // of the problem; or tow
  Config problem;               // its settings, complete
  double tolerance = 1e-4;
  int max_iterations = 10000;
  double reference = 0.125;  // length of Reynolds number and coefficients
  int workers = 1;           // single flows at a time; more than one on the serial backend only
  int slots = 0;             // of a stack of flows in one grid; 0: single flows
  FlowStart start = FlowStart::rest;
};

// Returns an evaluator of single flows or of a stack, by `slots`. Throws std::invalid_argument for settings
// that a stack does not support, and for several workers on a backend that shares its threads.
std::unique_ptr<OutlineEvaluator> evaluator_of(const TunnelFlow&);

}  // namespace cfdmark
