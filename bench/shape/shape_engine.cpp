#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/shape/pressure_loss.hpp"
#include "bench/shape/shape_search.hpp"
#include "bench/solve/print.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

constexpr double objective_of_infeasible = 1e6;

// The flow solvers need this many cells along a body and across it.
constexpr double cells_of_body = 4;

std::vector<std::pair<std::string, double>> named(const Parametrisation& shape,
                                                  const std::vector<double>& values) {
  std::vector<std::pair<std::string, double>> all;
  for (std::size_t n = 0; n < values.size(); ++n) all.emplace_back(shape.parameters[n].name, values[n]);
  return all;
}

}  // namespace

ShapeEngine::ShapeEngine(const ShapeStudy& study, EvaluationFile& file, OutlineEvaluator& evaluator)
    : study_(study), file_(file), evaluator_(evaluator), nearest_(file.path() + ".flows") {}

ShapeEvaluation ShapeEngine::candidate(const std::vector<double>& searched, int generation) const {
  ShapeEvaluation e;
  e.generation = generation, e.shape = study_.shape->name;
  e.parameters = named(*study_.shape, study_.parameters(searched));
  return e;
}

ShapeEvaluation ShapeEngine::circle() const {
  const Parametrisation& ellipse = find_parametrisation("superellipse");
  ShapeEvaluation e;
  e.purpose = "circle", e.shape = ellipse.name;
  e.parameters = named(ellipse, {0, std::numbers::ln2, 0});
  return e;
}

void ShapeEngine::solve_hidden() {
  ShapeEvaluation hidden;
  hidden.purpose = "hidden", hidden.shape = study_.shape->name;
  hidden.parameters = named(*study_.shape, study_.objective.hidden);
  std::vector<ShapeEvaluation> all = {hidden};
  evaluate(all);
  if (wake_) return;
  const ShapeEvaluation& e = all.front();
  throw std::runtime_error(fmt::format(
      "{}: the hidden body has no flow on {}: {}. Change wake_of, the constraints, or settings such as "
      "max_iterations and tolerance",
      study_.file, e.grid,
      e.violated.empty() ? e.flow.reason : "it violates '" + e.violated.front().constraint + "'"));
}

Outline ShapeEngine::outline(const ShapeEvaluation& e) const {
  std::vector<double> values;
  for (const auto& [name, value] : e.parameters) values.push_back(value);
  return moved(find_parametrisation(e.shape).outline(values, study_.area),
               {1 + e.offset.x, 0.5 + e.offset.y});
}

std::optional<Outline> ShapeEngine::feasible(ShapeEvaluation& e, const Grid& grid) const {
  Outline body;
  try {
    body = outline(e);
  } catch (const std::invalid_argument& none) {
    e.flow.reason = none.what();
    e.violated = {{"outline", 1}};
    return {};
  }
  if (e.purpose == "search" || e.purpose == "hidden") e.violated = violations(body, study_.constraints);
  const PlanePoint low = body.low(), high = body.high();
  const double across = cells_of_body / grid.ny - (high.y - low.y),
               along = cells_of_body * tunnel_width / grid.nx - (high.x - low.x);
  if (std::max(across, along) > 0) e.violated.push_back({"cells", std::max(across, along)});
  if (e.violated.empty()) return body;
  return {};
}

double ShapeEngine::number_of_flow(const ShapeEvaluation& e, const FlowFields& flow) {
  const double d = study_.flow.reference;
  if (study_.objective.is_pressure_loss) return pressure_loss(flow, d / study_.flow.problem.real("reynolds"));
  constexpr double behind = 2;  // diameters; bodies of more than four reach into it
  if (e.purpose == "hidden") wake_.emplace(flow, 1 + behind * d);
  return wake_->misfit(flow);
}

void ShapeEngine::finish(ShapeEvaluation& e, std::optional<double> of_flow) const {
  if (!e.violated.empty()) {
    e.flow.status = EvaluationStatus::infeasible;
    e.objective = objective_of_infeasible;
    for (const Violation& v : e.violated) e.objective += v.by;
  } else if (e.flow.status == EvaluationStatus::diverged || e.flow.status == EvaluationStatus::failed) {
    e.objective = without_flow;
  } else if (e.flow.status == EvaluationStatus::stopped) {
    e.objective = e.stop->bound;
  } else if (study_.objective.is_of_flow()) {
    e.objective = of_flow.value_or(without_flow);
  } else {
    e.objective = study_.objective.of(e.flow);
    if (e.flow.status == EvaluationStatus::unconverged) e.objective += e.flow.drag_change;
  }
}

void ShapeEngine::evaluate(std::vector<ShapeEvaluation>& all) { evaluate(all, study_.flow, evaluator_); }

// Starts, stops and keeps the flows of a batch.
class ShapeEngine::Batch {
 public:
  Batch(ShapeEngine& engine, std::vector<ShapeEvaluation>& all, OutlineEvaluator& evaluator)
      : engine_(engine), all_(all), evaluator_(evaluator) {}
  Batch(const Batch&) = delete;  // the evaluator refers to this object
  Batch& operator=(const Batch&) = delete;
  ~Batch() { evaluator_.start_of = nullptr, evaluator_.on_flow = nullptr, evaluator_.stops = nullptr; }

  void add(std::size_t index, const Outline& outline) {
    indices_.push_back(index), outlines_.push_back(outline);
  }
  void solve() {
    if (outlines_.empty()) return;
    const ShapeStudy& study = engine_.study_;
    const bool is_search = evaluation(0).purpose == "search";
    if (is_search && study.flow.start == FlowStart::nearest) start_from_nearest();
    if (is_search && study.stop.is_on) stop_early();
    if (study.objective.is_of_flow()) take_numbers_of_flows();
    evaluator_.evaluate(outlines_, [&](std::size_t n, const FlowAround& found) { end(n, found); });
  }

 private:
  ShapeEvaluation& evaluation(std::size_t n) { return all_[indices_[n]]; }

  void start_from_nearest() {
    for (std::size_t n = 0; n < outlines_.size(); ++n) {
      const ShapeEvaluation& e = evaluation(n);
      starts_.push_back(engine_.nearest_.nearest(e.generation - 1, engine_.place_of(e)));
    }
    evaluator_.start_of = [&](std::size_t n) { return starts_[n]; };
    evaluator_.on_flow = [&](std::size_t n, const std::shared_ptr<const KnownFlow>& flow) {
      engine_.nearest_.write(evaluation(n).generation, evaluation(n).key(), *flow);
    };
  }
  void take_numbers_of_flows() {
    of_flows_.resize(outlines_.size());
    const auto keeps = evaluator_.on_flow;
    evaluator_.on_flow = [this, keeps](std::size_t n, const std::shared_ptr<const KnownFlow>& flow) {
      if (keeps) keeps(n, flow);
      of_flows_[n] = engine_.number_of_flow(evaluation(n), flow->flow);
    };
  }
  void stop_early() {
    const auto threshold = engine_.threshold(evaluation(0).generation);
    if (!threshold) return;
    decision_.emplace(engine_.study_.stop, *threshold);
    stops_.resize(outlines_.size());
    evaluator_.stops = [&](std::size_t n, const std::vector<ForceLook>& looks) {
      if (stops_[n]) return false;  // audited
      std::vector<double> objectives;
      for (const ForceLook& look : looks) {
        FlowAround flow;
        flow.drag = look.drag, flow.lift = look.lift;
        objectives.push_back(engine_.study_.objective.of(flow));
      }
      const auto bound = decision_->bound(objectives);
      if (!bound) return false;
      const bool is_audited = decision_->is_audited(evaluation(n).key());
      stops_[n] = EarlyStop{*bound, decision_->threshold(), looks.back().iteration, is_audited};
      return !is_audited;
    };
  }
  void end(std::size_t n, const FlowAround& found) {
    ShapeEvaluation& e = evaluation(n);
    e.flow = found;
    if (n < stops_.size()) e.stop = stops_[n];
    engine_.finish(e, n < of_flows_.size() ? of_flows_[n] : std::nullopt);
    engine_.file_.append(e);
    ++engine_.solved_;
    if (engine_.on_solved) engine_.on_solved(e);
    if (engine_.is_interrupted && engine_.is_interrupted()) throw ShapeInterrupted();
  }

  ShapeEngine& engine_;
  std::vector<ShapeEvaluation>& all_;
  OutlineEvaluator& evaluator_;
  std::vector<std::size_t> indices_;
  std::vector<Outline> outlines_;
  std::vector<std::shared_ptr<const KnownFlow>> starts_;
  std::optional<StopDecision> decision_;
  std::vector<std::optional<EarlyStop>> stops_;
  std::vector<std::optional<double>> of_flows_;
};

void ShapeEngine::evaluate(std::vector<ShapeEvaluation>& all, const TunnelFlow& flow,
                           OutlineEvaluator& evaluator) {
  Batch batch(*this, all, evaluator);
  for (std::size_t n = 0; n < all.size(); ++n) {
    ShapeEvaluation& e = all[n];
    e.grid = grid_text(flow.grid), e.precision = to_string(flow.row->precision);
    const auto body = feasible(e, flow.grid);
    const bool needs_flow = e.purpose == "hidden";  // files have no flows
    if (const ShapeEvaluation* known = needs_flow ? nullptr : file_.find(e.key())) {
      e.flow = known->flow, e.violated = known->violated, e.objective = known->objective;
      e.stop = known->stop;
      ++reused_;
    } else if (body) {
      batch.add(n, *body);
    } else {
      finish(e);
      file_.append(e);
    }
  }
  batch.solve();
  note(all);
}

std::optional<double> ShapeEngine::threshold(int generation) const {
  const auto found = objectives_.find(generation - 1);
  const auto half = std::size_t(study_.optimiser.population * study_.optimiser.islands) / 2;
  if (found == objectives_.end() || found->second.size() < half) return {};
  std::vector<double> sorted = found->second;
  std::sort(sorted.begin(), sorted.end());
  return sorted[half - 1];
}

void ShapeEngine::note(const std::vector<ShapeEvaluation>& all) {
  for (const ShapeEvaluation& e : all) {
    if (e.purpose != "search" || e.objective >= without_flow) continue;
    objectives_[e.generation].push_back(e.objective);
    if (study_.flow.start == FlowStart::nearest && e.flow.status == EvaluationStatus::ok)
      nearest_.note(e.generation, e.key(), place_of(e));
  }
}

std::vector<double> ShapeEngine::place_of(const ShapeEvaluation& e) const {
  std::vector<double> place;
  for (const SearchedParameter& p : study_.searched)
    place.push_back((e.parameters[p.index].second - p.low) / (p.high - p.low));
  return place;
}

}  // namespace cfdmark
