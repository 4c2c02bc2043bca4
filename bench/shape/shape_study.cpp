#include "bench/shape/shape_study.hpp"

#include <algorithm>

#include "bench/text/words.hpp"

namespace cfdmark {

double ShapeObjective::of(const FlowAround& flow) const {
  if (is_ratio) return -flow.lift / std::max(flow.drag, 1e-3);
  return drag * flow.drag + lift * flow.lift;
}

std::vector<double> ShapeStudy::parameters(const std::vector<double>& candidate) const {
  std::vector<double> all = start;
  for (std::size_t n = 0; n < searched.size(); ++n) all[searched[n].index] = candidate.at(n);
  return all;
}

SearchBox ShapeStudy::box() const {
  SearchBox box;
  for (const SearchedParameter& p : searched) {
    box.low.push_back(p.low), box.high.push_back(p.high), box.start.push_back(start[p.index]);
  }
  return box;
}

Json ShapeStudy::facts() const {
  Json ranges = Json::object(), fixed = Json::object(), settings = Json::object();
  for (const SearchedParameter& p : searched) ranges[shape->parameters[p.index].name] = {p.low, p.high};
  for (std::size_t n = 0; n < start.size(); ++n) fixed[shape->parameters[n].name] = start[n];
  Json hidden = Json::object();
  for (std::size_t n = 0; n < objective.hidden.size(); ++n)
    hidden[shape->parameters[n].name] = objective.hidden[n];
  Json contains = Json::array();
  if (constraints.contains)
    for (const PlanePoint& c : constraints.contains->corners) contains.push_back({c.x, c.y});
  return {{"problem", (flow.name == "tunnel" ? "" : flow.name + " ") + flow.problem.text()},
          {"area", area},
          {"outline", shape->name},
          {"start", fixed},
          {"searched", ranges},
          {"bounds", {constraints.low.x, constraints.low.y, constraints.high.x, constraints.high.y}},
          {"thickness", constraints.thickness},
          {"contains", contains},
          {"objective", objective.is_of_wake() ? Json{{"wake_of", hidden}} : Json(objective.name)},
          {"grid", grid_text(flow.grid)},
          {"solver", row_name(*flow.row)},
          {"settings", flow.config.text()},
          {"tolerance", flow.tolerance},
          {"max_iterations", flow.max_iterations},
          {"start_of_flows", to_string(flow.start)},
          {"stop", stop.is_on ? Json{{"margin", stop.margin}, {"audit", stop.audit}} : Json("none")},
          {"optimiser", optimiser.name},
          {"population", optimiser.population},
          {"islands", optimiser.islands},
          {"seed", optimiser.seed}};
}

}  // namespace cfdmark
