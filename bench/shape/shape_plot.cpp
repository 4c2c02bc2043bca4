#include "bench/shape/shape_plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/shape/shape_print.hpp"
#include "bench/solve/print.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark {
namespace {

Json corners_of(const Outline& outline) {
  constexpr std::size_t most = 256;
  const std::size_t step = std::max<std::size_t>(1, outline.corners.size() / most);
  Json corners = Json::array();
  for (std::size_t n = 0; n < outline.corners.size(); n += step)
    corners.push_back({outline.corners[n].x, outline.corners[n].y});
  return corners;
}

// Pairs of a share of the surface, counterclockwise from the rear, and |vorticity| there.
Json vorticity_of(const SurfaceVorticity& surface) {
  Json points = Json::array();
  const double count = double(surface.points.size());
  for (std::size_t n = 0; n < surface.points.size(); ++n)
    points.push_back({(double(n) + 0.5) / count, std::abs(surface.points[n].vorticity)});
  return points;
}

// The searched parameters of each evaluation and its objective, null without a flow.
Json map_of(const ShapeStudy& study, const ShapeProgress& progress) {
  Json names = Json::array(), points = Json::array();
  for (const SearchedParameter& p : study.searched) names.push_back(study.shape->parameters[p.index].name);
  for (const ShapeEvaluation& e : progress.evaluations) {
    Json point = Json::array();
    for (const SearchedParameter& p : study.searched) point.push_back(e.parameters[p.index].second);
    point.push_back(e.objective < ShapeEngine::without_flow ? Json(e.objective) : Json());
    points.push_back(point);
  }
  return {{"names", names}, {"points", points}};
}

Json facts_of_run(const ShapeStudy& study, const ShapeProgress& progress,
                  const std::optional<NoiseFloor>& floor) {
  const FlowCost cost = cost_of(progress);
  std::map<std::string, int> statuses;
  int audited = 0, wrong = 0;
  for (const ShapeEvaluation& e : progress.evaluations) {
    ++statuses[to_string(e.flow.status)];
    if (e.stop) audited += e.stop->is_audited, wrong += e.stop->is_wrong(e.objective);
  }
  const TunnelFlow& flow = study.flow;
  Json run{{"grid", {flow.grid.nx, flow.grid.ny}},
           {"backend", std::string(to_string(flow.row->backend))},
           {"solver", row_name(*flow.row, flow.device)},
           {"workers", flow.workers},
           {"devices", std::max<std::size_t>(1, flow.devices.size())},
           {"slots", flow.slots},
           {"reynolds", flow.problem.real("reynolds")},
           {"flows", cost.flows},
           {"iterations", cost.flows > 0 ? cost.iterations / cost.flows : 0},
           {"flow_seconds", cost.flows > 0 ? cost.seconds / cost.flows : 0},
           {"search_seconds", progress.seconds},
           {"solved_here", progress.solved},
           {"joules", progress.joules},
           {"statuses", statuses},
           {"audited", audited},
           {"wrong_stops", wrong},
           {"ratio", progress.winner().flow.drag / progress.circle.flow.drag}};
  if (floor && floor->places > 0)
    run.update({{"ratio", floor->ratio.mean},
                {"noise", floor->ratio.half_range},
                {"objective_noise", floor->gain.half_range}});
  if (study.known) run.update({{"known_ratio", study.known->ratio}, {"known_within", study.known->within}});
  return run;
}

}  // namespace

int plot_shape(const ShapeStudy& study, const ShapeEngine& engine, const ShapeProgress& progress,
               const std::optional<NoiseFloor>& floor, const std::optional<BestSurface>& surface,
               const std::string& prefix) {
  Json evaluations = Json::array(), best = Json::array(), outlines = Json::array();
  for (const ShapeEvaluation& e : progress.evaluations)
    evaluations.push_back(
        {{"objective", e.objective}, {"status", to_string(e.flow.status)}, {"generation", e.generation}});
  const std::size_t shown = 8, count = progress.best.size();
  for (std::size_t g = 0; g < count; ++g) {
    const ShapeEvaluation& e = progress.evaluations[progress.best[g]];
    best.push_back(e.objective);
    // Evenly spread generations, the first and the last among them.
    const bool is_shown =
        g == 0 || g == count - 1 || g * (shown - 1) / (count - 1) != (g - 1) * (shown - 1) / (count - 1);
    if (is_shown && e.violated.empty())
      outlines.push_back({{"generation", g},
                          {"drag", e.flow.drag},
                          {"lift", e.flow.lift},
                          {"corners", corners_of(engine.outline(e))}});
  }
  Json shape{{"title", study.question},
             {"objective", study.objective.name},
             {"circle", progress.circle.objective},
             {"circle_corners", corners_of(engine.outline(progress.circle))},
             {"evaluations", evaluations},
             {"best", best},
             {"outlines", outlines},
             {"run", facts_of_run(study, progress, floor)}};
  if (study.optimiser.is_map() && study.searched.size() <= 2) shape["map"] = map_of(study, progress);
  if (surface && surface->is_known())
    shape["surface"] = {{"best", vorticity_of(*surface->winner)},
                        {"circle", vorticity_of(*surface->circle)},
                        {"note", surface_text(study, *surface)}};
  return draw("plot-shape", prefix, shape);
}

}  // namespace cfdmark
