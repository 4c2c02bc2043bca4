// Solves the flows around outlines in a stack or one at a time, from rest or from coarser grids.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "solvers/flow/flow_batch.hpp"

namespace cfdmark {

struct OutlineFlow : FlowEvaluation {
  double coarse_iterations = 0;  // on coarser grids, in iterations of the own grid with as many cell updates
};

enum class FlowsAtOnce { one, stack };

class OutlineFlows {
 public:
  // coarse_start: a flow starts from that around the same outline on grids half as fine
  // (coarser_tunnel_grids). The settings need a reference length for it. Throws std::invalid_argument
  // without one, on a grid without coarser ones, and as FlowBatch does.
  OutlineFlows(Backend&, const FlowBatchSettings&, FlowsAtOnce, bool coarse_start);
  ~OutlineFlows();

  // A flow without an end on a coarser grid starts the next one from rest.
  std::vector<OutlineFlow> evaluate(const std::vector<Outline>&);
  // Returns the share of slot-iterations without a flow on the own grid; 0 for one flow at a time.
  double idle() const;

  class Level;  // one grid

 private:
  std::vector<std::unique_ptr<Level>> levels_;  // the own grid first, then coarser ones
};

}  // namespace cfdmark
