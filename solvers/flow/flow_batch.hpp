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
#include "solvers/shape/outline.hpp"

namespace cfdmark {

// ok: all residuals are within the tolerance. unconverged: max_iterations were made. diverged: not finite, or
// a residual above 1000. infeasible: the tunnel refuses the outline, which is not solved.
enum class FlowStatus { ok, unconverged, diverged, infeasible };
std::string to_string(FlowStatus);

struct FlowEvaluation {
  FlowStatus status = FlowStatus::infeasible;
  double drag = 0, lift = 0;  // coefficients with the reference length; not finite if diverged
  int iterations = 0;
  double residual = 0;  // the largest of momentum, mass and continuity
  std::string reason;   // of infeasible and diverged
};

struct FlowBatchSettings {
  Grid grid = {256, 128};
  Config tunnel = {};  // of problem `tunnel`, with `area` above 0; the rest has its defaults
  Precision precision = Precision::fp64;
  int slots = 8;
  std::string method = "rhie_chow";  // of simple
  Config solver = {};                // of that method; the rest has its defaults
  double tolerance = 1e-4;
  int max_iterations = 50000;  // rounded up to a multiple of check_interval
};

// Work of all evaluations so far.
struct BatchCounts {
  double iterations = 0;       // of flows
  double idle_iterations = 0;  // of slots without a flow
  int solved_alone = 0;        // flows solved again, since a neighbour may have spoiled them
};

// The bits of an evaluation do not depend on the slot, the number of slots or the other outlines.
class FlowBatch {
 public:
  // Allocates and compiles. Throws std::invalid_argument for invalid settings (FlowStack), or without an
  // area, since Reynolds number and fluid must be the same for all outlines.
  FlowBatch(Backend&, const FlowBatchSettings&);

  // Returns the evaluation of each outline, which is in tunnel heights from the lower left corner.
  // tunnel_around() scales it to the area about its centroid.
  std::vector<FlowEvaluation> evaluate(const std::vector<Outline>&);

  using Flows = std::vector<std::shared_ptr<const FlowProblem>>;
  // The same for flows of the stack's fluid; a null one is infeasible.
  std::vector<FlowEvaluation> solve(const Flows&);

  // Called at the end of each flow that was solved, if set: its index, and a download of it.
  std::function<void(std::size_t index, const FlowFields&)> on_flow;
  const BatchCounts& counts() const { return counts_; }
  const FlowBatchSettings& settings() const { return settings_; }
  // Returns the tunnel around an outline. Throws std::invalid_argument if it is infeasible.
  std::shared_ptr<const FlowProblem> tunnel(const Outline&) const;

 private:
  struct Slot {
    std::size_t index;  // of its flow
    int iterations;
  };
  using Queue = std::vector<std::size_t>;  // the next flow last

  // Solves the flows of a queue in the first `slots` slots. Returns those that must be solved alone.
  Queue solve_queue(const Flows&, Queue, int slots, std::vector<FlowEvaluation>&);
  // Returns the evaluation of a flow that has ended; empty if it goes on.
  std::optional<FlowEvaluation> judged(const Slot&, const SlotLook&) const;

  FlowBatchSettings settings_;
  std::unique_ptr<FlowStack> stack_;
  BatchCounts counts_;
};

}  // namespace cfdmark
