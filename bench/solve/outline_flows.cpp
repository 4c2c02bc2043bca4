#include "bench/solve/outline_flows.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/core/domain.hpp"
#include "solvers/flow/table.hpp"
#include "solvers/problems/flow_start.hpp"

namespace cfdmark {
namespace {

double result_of(const Outcome& outcome, const char* name) {
  for (const NamedValue& result : outcome.results)
    if (result.name == name) return result.value;
  return 0;
}

}  // namespace

class OutlineFlows::Level {
 public:
  Level(Backend& on, const FlowBatchSettings& settings, FlowsAtOnce at_once, bool may_be_coarse)
      : on_(on), batch_(on, settings), at_once_(at_once), may_be_coarse_(may_be_coarse) {}

  // Called with each flow that has converged, if set.
  std::function<void(std::size_t, const FlowFields&)> on_converged;
  std::vector<FlowEvaluation> solve(std::size_t flows, const FlowBatch::Make& make) {
    std::vector<FlowEvaluation> found(flows);
    if (at_once_ == FlowsAtOnce::one) {
      for (std::size_t n = 0; n < flows; ++n) found[n] = solved(n, make);
      return found;
    }
    // The end of a flow follows its fields at once.
    FlowFields last;
    batch_.on_flow = nullptr, batch_.on_end = nullptr;
    if (on_converged) {
      batch_.on_flow = [&](std::size_t, const FlowFields& flow) { last = flow; };
      batch_.on_end = [&](std::size_t n, const FlowEvaluation& ended) {
        if (ended.status == FlowStatus::ok) on_converged(n, last);
      };
    }
    return batch_.solve(flows, make);
  }
  std::shared_ptr<FlowProblem> tunnel(const Outline& outline) const {
    const FlowBatchSettings& s = batch_.settings();
    DrawnBody body = body_inside(outline, "outline");
    body.reference = s.reference;
    return std::make_shared<FlowProblem>(may_be_coarse_
                                             ? coarse_tunnel_around(body, s.grid, s.tunnel, s.problem)
                                             : tunnel_around(body, s.grid, s.tunnel, s.problem));
  }
  const FlowBatch& batch() const { return batch_; }
  double cells() const { return double(batch_.settings().grid.cells()); }

 private:
  // Solves one flow by a solve that is prepared once and loaded with each flow.
  FlowEvaluation solved(std::size_t n, const FlowBatch::Make& make) {
    const FlowBatchSettings& s = batch_.settings();
    try {
      prepare(make(n));
    } catch (const std::invalid_argument& refused) {
      return {.status = FlowStatus::infeasible, .reason = refused.what()};
    }
    single_->reset();
    const Outcome outcome = single_->solve(s.tolerance, s.max_iterations);
    if (outcome.converged && on_converged) on_converged(n, single_->solution());
    return {.status = outcome.converged ? FlowStatus::ok : FlowStatus::unconverged,
            .drag = result_of(outcome, "drag_coefficient"),
            .lift = result_of(outcome, "lift_coefficient"),
            .iterations = outcome.iterations,
            .residual = outcome.relative_residual};
  }
  void prepare(std::shared_ptr<const FlowProblem> problem) {
    const FlowBatchSettings& s = batch_.settings();
    if (single_) return single_->load(problem);
    for (const FlowMethod& method : simple_solver().methods(on_.kind()))
      if (method.name == s.method)
        single_ =
            std::make_unique<PreparedFlow>(simple_solver(), method, on_, s.precision, s.solver, problem);
  }

  Backend& on_;
  FlowBatch batch_;
  FlowsAtOnce at_once_;
  bool may_be_coarse_;
  std::unique_ptr<PreparedFlow> single_;
};

OutlineFlows::OutlineFlows(Backend& on, const FlowBatchSettings& given, FlowsAtOnce at_once,
                           bool coarse_start) {
  FlowBatchSettings settings = given;
  if (at_once == FlowsAtOnce::one) settings.slots = 1;
  levels_.push_back(std::make_unique<Level>(on, settings, at_once, false));
  if (!coarse_start) return;
  if (!(settings.reference > 0)) throw std::invalid_argument("a coarse start needs a reference length");
  const std::vector<Grid> coarser = coarser_tunnel_grids(settings.grid, settings.reference);
  if (coarser.empty())
    throw std::invalid_argument(grid_text(settings.grid) +
                                ": no grid half as fine has four cells across the body; use start=rest, or a "
                                "finer grid with even numbers of cells");
  for (const Grid& grid : coarser) {
    settings.grid = grid;
    if (settings.coarsenings > 0) settings.coarsenings = std::max(1, settings.coarsenings - 1);
    levels_.push_back(std::make_unique<Level>(on, settings, at_once, true));
  }
}

OutlineFlows::~OutlineFlows() = default;

std::vector<OutlineFlow> OutlineFlows::evaluate(const std::vector<Outline>& outlines) {
  std::vector<OutlineFlow> found(outlines.size());
  std::vector<std::shared_ptr<const KnownFlow>> starts(outlines.size());
  for (std::size_t n = levels_.size(); n-- > 0;) {
    Level& level = *levels_[n];
    const bool is_last = n == 0;
    std::vector<std::shared_ptr<const KnownFlow>> next(outlines.size());
    std::vector<HostField> faces(outlines.size());
    level.on_converged = nullptr;
    if (!is_last)
      level.on_converged = [&](std::size_t of, const FlowFields& flow) {
        next[of] = std::make_shared<KnownFlow>(KnownFlow{flow, faces[of]});
      };
    const std::vector<FlowEvaluation> ended =
        level.solve(outlines.size(), [&](std::size_t of) -> std::shared_ptr<const FlowProblem> {
          const auto problem = level.tunnel(outlines[of]);
          if (starts[of]) start_from(*problem, *starts[of]);
          if (!is_last) faces[of] = problem->faces;
          return problem;
        });
    for (std::size_t of = 0; of < outlines.size(); ++of)
      if (is_last)
        static_cast<FlowEvaluation&>(found[of]) = ended[of];
      else
        found[of].coarse_iterations += ended[of].iterations * level.cells() / levels_.front()->cells();
    level.on_converged = nullptr;
    starts = std::move(next);
  }
  return found;
}

double OutlineFlows::idle() const {
  const BatchCounts& counts = levels_.front()->batch().counts();
  const double all = counts.iterations + counts.idle_iterations;
  return all > 0 ? counts.idle_iterations / all : 0;
}

}  // namespace cfdmark
