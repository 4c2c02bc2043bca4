#include "bench/shape/shape_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "bench/catalog/catalog.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

// Returns whether the best objective has gained less than the share in the last ten generations.
bool has_settled(const ShapeProgress& progress, double share) {
  constexpr std::size_t generations = 10;
  if (share <= 0 || progress.best.size() <= generations) return false;
  const double before = progress.evaluations[progress.best[progress.best.size() - 1 - generations]].objective;
  return before - progress.winner().objective < share * std::abs(before);
}

// Returns whether the best drag is the known one, for a study that ends there.
bool has_reached_known(const ShapeStudy& study, const ShapeProgress& progress) {
  return study.ends_at_known && study.known && progress.winner().objective < ShapeEngine::without_flow &&
         study.known->is_reached(progress.winner().flow.drag / progress.circle.flow.drag);
}

std::vector<PlanePoint> places_in_cell(const ShapeStudy& study) {
  const double dx = tunnel_width / study.flow.grid.nx, dy = 1.0 / study.flow.grid.ny;
  std::vector<PlanePoint> all;
  for (int n = 0; n < study.places; ++n)
    all.push_back({dx * n / study.places, dy * (3 * n % study.places) / study.places});
  return all;
}

OverPlaces over_places(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {std::accumulate(values.begin(), values.end(), 0.0) / double(values.size()), (*most - *least) / 2};
}

// The row of the study's solver in fp64.
const Row& in_fp64(const Row& row) {
  for (const Row& other : catalog())
    if (other.kind == row.kind && other.name == row.name && other.backend == row.backend &&
        other.method == row.method && other.precision == Precision::fp64)
      return other;
  throw std::runtime_error(fmt::format("{} has no row in fp64", row_name(row)));
}

}  // namespace

void search_shape(const ShapeStudy& study, ShapeEngine& engine, ShapeProgress& progress,
                  const std::function<bool(const ShapeProgress&)>& goes_on,
                  const std::function<double()>& joules) {
  const auto start = std::chrono::steady_clock::now();
  const double joules_before = joules ? joules() : 0;
  if (study.objective.is_of_wake()) engine.solve_hidden();
  std::vector<ShapeEvaluation> circle = {engine.circle()};
  engine.evaluate(circle);
  progress.circle = circle.front();
  if (progress.circle.objective >= ShapeEngine::without_flow)
    throw std::runtime_error(fmt::format(
        "{}: the circle of this area cannot be solved on {}: {}", study.file, progress.circle.grid,
        progress.circle.violated.empty() ? progress.circle.flow.reason : "it needs four cells across"));
  const auto objectives = [&](const std::vector<std::vector<double>>& candidates) {
    std::vector<ShapeEvaluation> all;
    for (const auto& candidate : candidates) all.push_back(engine.candidate(candidate, progress.generation));
    engine.evaluate(all);
    std::vector<double> values;
    for (ShapeEvaluation& e : all) {
      values.push_back(e.objective);
      progress.evaluations.push_back(std::move(e));
    }
    return values;
  };
  optimise(study.optimiser, study.box(), objectives, [&] {
    const auto& all = progress.evaluations;
    const auto less = [](const auto& a, const auto& b) { return a.objective < b.objective; };
    progress.best.push_back(std::size_t(std::min_element(all.begin(), all.end(), less) - all.begin()));
    progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.solved = engine.solved();
    if (joules) progress.joules = joules() - joules_before;
    const int next = study.optimiser.population * study.optimiser.islands;
    const bool is_within = int(all.size()) + next <= study.most_evaluations &&
                           (study.most_seconds == 0 || progress.seconds < study.most_seconds) &&
                           !has_settled(progress, study.least_gain) && !has_reached_known(study, progress);
    if (!goes_on(progress) || !is_within) return false;
    ++progress.generation;
    return true;
  });
}

NoiseFloor noise_floor(const ShapeStudy& study, ShapeEngine& engine, const ShapeProgress& progress) {
  std::vector<ShapeEvaluation> all;
  for (const PlanePoint& place : places_in_cell(study))
    for (const ShapeEvaluation* of : {&progress.winner(), &progress.circle}) {
      ShapeEvaluation e;
      e.purpose = "place", e.shape = of->shape, e.parameters = of->parameters, e.offset = place;
      all.push_back(e);
    }
  engine.evaluate(all);
  std::vector<double> ratios, gains;
  for (std::size_t n = 0; n < all.size(); n += 2) {
    const FlowAround &winner = all[n].flow, &circle = all[n + 1].flow;
    if (winner.status != EvaluationStatus::ok || circle.status != EvaluationStatus::ok) continue;
    ratios.push_back(winner.drag / circle.drag);
    gains.push_back(all[n + 1].objective - all[n].objective);
  }
  if (ratios.empty()) return {};
  return {over_places(ratios), over_places(gains), int(ratios.size())};
}

FinerResult solve_finer(const ShapeStudy& study, ShapeEngine& engine, const ShapeProgress& progress) {
  TunnelFlow flow = study.flow;
  flow.row = &in_fp64(*study.flow.row);
  flow.grid = *study.finer;
  flow.tolerance *= 0.01, flow.max_iterations *= 4;
  flow.slots = 0;  // two flows only
  const auto evaluator = evaluator_of(flow);
  std::vector<ShapeEvaluation> both;
  for (const ShapeEvaluation* of : {&progress.winner(), &progress.circle}) {
    ShapeEvaluation e;
    e.purpose = "finer", e.shape = of->shape, e.parameters = of->parameters;
    both.push_back(e);
  }
  engine.evaluate(both, flow, *evaluator);
  return {both[0], both[1]};
}

}  // namespace cfdmark
