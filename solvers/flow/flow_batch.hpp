// Many flows around bodies in one wind tunnel, as an optimiser of shapes needs them: outlines in, drag and
// lift out. The flows are solved together in a stack (flow_stack.hpp); a slot whose flow has ended takes the
// next one at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solvers/flow/flow_stack.hpp"
#include "solvers/problems/drawn_body.hpp"

namespace cfdmark {

// ok: all residuals are within the tolerance. unconverged: max_iterations were made, or the residual has
// stalled. diverged: not finite, or a residual above 1000. infeasible: the tunnel refuses the outline, which
// is not solved. stopped: FlowBatch::ends_early has ended it.
enum class FlowStatus { ok, unconverged, diverged, infeasible, stopped };
std::string to_string(FlowStatus);

struct FlowEvaluation {
  FlowStatus status = FlowStatus::infeasible;
  // Coefficients with the reference length; 0 if diverged. If unconverged, the drag is its mean over the last
  // tenth of the looks, at least three, and drag_change its range there.
  double drag = 0, lift = 0, drag_change = 0;
  int iterations = 0;
  double residual = 0;      // the largest of momentum, mass and continuity
  std::string reason = {};  // why the status is not ok
};

// Coefficients at a look at a flow that is being solved.
struct ForceLook {
  int iteration = 0;
  double drag = 0, lift = 0;
};

struct FlowBatchSettings {
  Grid grid = {256, 128};
  std::string problem = "tunnel";  // or tow
  Config tunnel = {};              // of the problem; settings that it omits have their defaults
  double reference = 0;  // length of Reynolds number and coefficients; 0: that of the tunnel's `area`
  Precision precision = Precision::fp64;
  int slots = 8;
  int coarsenings = 0;               // of pressure_solver=multigrid; 0: by the rows of the grid
  std::string method = "rhie_chow";  // of simple
  Config solver = {};                // settings of that method
  double tolerance = 1e-4;
  int max_iterations = 50000;      // rounded up to a multiple of check_interval
  bool ends_when_stalled = false;  // true: a flow ends as Solver::ends_when_stalled says
};

// Work of all evaluations so far.
struct BatchCounts {
  double iterations = 0;       // of flows
  double idle_iterations = 0;  // of slots without a flow
  int solved_alone = 0;        // flows solved again, since a neighbour may have spoiled them
  double waiting_seconds = 0;  // for flows to be made on the host
};

// The bits of an evaluation do not depend on the slot, the number of slots or the other outlines.
class FlowBatch {
 public:
  // Allocates and compiles. Throws std::invalid_argument for invalid settings (FlowStack), or without
  // reference and area, since Reynolds number and fluid must be the same for all outlines.
  FlowBatch(Backend&, const FlowBatchSettings&);

  // Returns the evaluation of each outline, which is in tunnel heights from the lower left corner.
  // tunnel_around() scales it to the area, if there is one, about its centroid.
  std::vector<FlowEvaluation> evaluate(const std::vector<Outline>&);

  // The same for flows of the batch's fluid. Each is made by a thread of its own, some time before its slot
  // is free; what make(index) throws as std::invalid_argument is the reason of an infeasible one.
  using Make = std::function<std::shared_ptr<const FlowProblem>(std::size_t index)>;
  std::vector<FlowEvaluation> solve(std::size_t flows, const Make&);

  // Called as soon as an outline or flow has its evaluation, in any order, if set. What it throws ends the
  // batch.
  std::function<void(std::size_t index, const FlowEvaluation&)> on_end;
  // Called at the end of each finite flow, if set, with a download of it.
  std::function<void(std::size_t index, const FlowFields&)> on_flow;
  // Called at each look at a flow that goes on, if set, with its finite looks so far. True ends it.
  std::function<bool(std::size_t index, const std::vector<ForceLook>&)> ends_early;
  const BatchCounts& counts() const { return counts_; }
  const FlowBatchSettings& settings() const { return settings_; }
  // Returns the tunnel around an outline. Throws std::invalid_argument if it is infeasible.
  std::shared_ptr<const FlowProblem> tunnel(const Outline&) const;

 private:
  struct Slot {
    std::size_t index;  // of its flow
    int iterations = 0;
    std::vector<double> residuals = {1};  // at each look; a flow at rest has residual 1
    std::vector<ForceLook> forces = {};
  };
  // The flows of a queue, made ahead.
  class Queue;

  // Solves the flows of a queue in the first `slots` slots. Returns those that must be solved alone.
  std::vector<std::size_t> solve_queue(Queue, int slots, std::vector<FlowEvaluation>&);
  // Returns the evaluation of a flow that has ended with this look; empty if it goes on.
  std::optional<FlowEvaluation> judged(const Slot&, const SlotLook&) const;
  void end(std::vector<FlowEvaluation>&, std::size_t index, const FlowEvaluation&) const;

  FlowBatchSettings settings_;
  std::unique_ptr<FlowStack> stack_;
  BatchCounts counts_;
};

}  // namespace cfdmark
