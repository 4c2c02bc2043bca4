// The flow around each outline by a solver of flows, from rest or from a known flow.
#include <algorithm>
#include <chrono>

#include "bench/shape/flow_solver.hpp"

namespace cfdmark {
namespace {

class TunnelFlows final : public OutlineEvaluator {
 public:
  explicit TunnelFlows(const TunnelFlow& flow) {
    add(flow);
    if (flow.start != FlowStart::coarse) return;
    for (const Grid& grid : coarser_tunnel_grids(flow.grid, flow.reference)) {
      TunnelFlow coarse = flow;
      coarse.grid = grid;
      add(coarse);
    }
  }

  void evaluate(const std::vector<Outline>& outlines,
                const std::function<void(std::size_t, const FlowAround&)>& ended) override {
    std::vector<Start> starts(outlines.size());
    for (std::size_t level = levels_.size(); level-- > 1;) refine(outlines, level, starts);
    solve(outlines, 0, starts, ended);
  }

 private:
  struct Level {
    TunnelFlow flow;
    std::unique_ptr<FlowSolver> solver;
  };
  // The flow from which the next one of an outline starts, and its work.
  struct Start {
    std::shared_ptr<const KnownFlow> known = nullptr;
    double cell_updates = 0, seconds = 0;
  };

  void add(const TunnelFlow& flow) { levels_.push_back({flow, flow_solver_of(flow)}); }

  std::shared_ptr<const FlowProblem> problem(const Outline& outline, std::size_t level,
                                             const KnownFlow* known) const {
    const TunnelFlow& flow = levels_[level].flow;
    DrawnBody body = body_inside(outline, "outline");
    body.reference = flow.reference;
    auto made = std::make_shared<FlowProblem>(
        level > 0 ? coarse_tunnel_around(body, flow.grid, flow.problem, flow.name)
                  : tunnel_around(body, flow.grid, flow.problem, flow.name));
    if (known) start_from(*made, *known);
    return made;
  }

  // Solves on a coarser grid. An outline whose flow has no end there starts the next one from rest.
  void refine(const std::vector<Outline>& outlines, std::size_t level, std::vector<Start>& starts) {
    std::vector<Start> next(outlines.size());
    std::vector<HostField> faces(outlines.size());
    const double cells = double(levels_[level].flow.grid.cells());
    const auto make = [&](std::size_t n) {
      auto made = problem(outlines[n], level, starts[n].known.get());
      faces[n] = made->faces;
      return made;
    };
    levels_[level].solver->solve(
        outlines.size(), make,
        {.ended =
             [&](std::size_t n, const FlowAround& found, const FlowFields* flow) {
               next[n].cell_updates = starts[n].cell_updates + cells * found.iterations;
               next[n].seconds = starts[n].seconds + found.seconds;
               if (flow) next[n].known = std::make_shared<KnownFlow>(KnownFlow{*flow, faces[n]});
             },
         .wants_flows = true});
    starts = std::move(next);
  }

  void solve(const std::vector<Outline>& outlines, std::size_t level, std::vector<Start>& starts,
             const std::function<void(std::size_t, const FlowAround&)>& ended) {
    const Level& on = levels_[level];
    const bool is_coarse = levels_.size() > 1;
    std::vector<HostField> faces(on_flow ? outlines.size() : 0);
    const auto make = [&](std::size_t n) {
      if (!is_coarse && start_of) starts[n].known = start_of(n);
      auto made = problem(outlines[n], level, starts[n].known.get());
      if (on_flow) faces[n] = made->faces;
      return made;
    };
    FlowSolver::Calls calls{.ended =
                                [&](std::size_t n, const FlowAround& found, const FlowFields* flow) {
                                  FlowAround whole = found;
                                  whole.seconds += starts[n].seconds;
                                  whole.start_iterations =
                                      int(starts[n].cell_updates / double(on.flow.grid.cells()));
                                  if (starts[n].known) whole.start = is_coarse ? "coarse" : "nearest";
                                  if (flow && on_flow)
                                    on_flow(n, std::make_shared<KnownFlow>(KnownFlow{*flow, faces[n]}));
                                  ended(n, whole);
                                },
                            .wants_flows = bool(on_flow),
                            .stops = stops};
    on.solver->solve(outlines.size(), make, calls);
  }

  std::vector<Level> levels_;  // the study's grid, and coarser ones
};

constexpr const char* start_names[] = {"rest", "coarse", "nearest"};

}  // namespace

std::string to_string(FlowStart start) { return start_names[int(start)]; }

std::unique_ptr<OutlineEvaluator> evaluator_of(const TunnelFlow& flow) {
  return std::make_unique<TunnelFlows>(flow);
}

}  // namespace cfdmark
