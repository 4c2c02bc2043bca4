#include "bench/shape/study_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "bench/case/given_settings.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

constexpr const char* any_grid = "a grid such as 256x128";

std::vector<std::string> names_of_parametrisations() {
  std::vector<std::string> names;
  for (const Parametrisation& known : parametrisation_table()) names.push_back(known.name);
  return names;
}

std::vector<std::string> names_of_optimisers() {
  std::vector<std::string> names;
  for (const OptimiserDescription& known : optimiser_table()) names.push_back(known.name);
  return names;
}

}  // namespace

Grid StudyParts::grid(const YAML::Node& node) const {
  const std::string text = file_.word(node, any_grid);
  const Grid g = at(node.Mark(), [&] { return asked_grid(text); });
  if (g.is_3d())
    file_.fail(node.Mark(), fmt::format("the tunnel is 2-D, found {}; expected {}", text, any_grid));
  return g;
}

void StudyParts::read_outline(const Entry& e) {
  std::optional<Entry> parameters, start;
  const auto set_shape = [&](const YAML::Node& node) {
    study_.shape = &find_parametrisation(choice(node, names_of_parametrisations()));
  };
  if (e.value.IsScalar()) {
    set_shape(e.value);
  } else {
    read_map(e.value, "a name such as sine, or {name: sine, parameters: {ln_length: [0, 1.5]}}",
             {{"name", [&](const Entry& x) { set_shape(x.value); }},
              {"parameters", [&](const Entry& x) { parameters = x; }}});
    if (!study_.shape) file_.fail(e.value.Mark(), "'name' is missing; add it, such as name: sine");
  }
  const auto& all = study_.shape->parameters;
  for (const ShapeParameter& p : all) study_.start.push_back(p.start);
  if (parameters) return read_parameters(*parameters);
  for (std::size_t n = 0; n < all.size(); ++n)
    if (all[n].low < all[n].high) study_.searched.push_back({n, all[n].low, all[n].high});
}

std::size_t StudyParts::parameter(const Entry& e) const {
  std::vector<std::string> names;
  for (const ShapeParameter& p : study_.shape->parameters) names.push_back(p.name);
  const auto found = std::find(names.begin(), names.end(), e.key);
  if (found == names.end())
    file_.fail(e.mark, fmt::format("{} has no parameter '{}'; expected {}{}", study_.shape->name, e.key,
                                   one_of(names), did_you_mean(e.key, names)));
  return std::size_t(found - names.begin());
}

void StudyParts::read_parameters(const Entry& e) {
  for (const Entry& p : file_.entries(e.value, "a map such as {ln_length: [0, 1.5], b2: 0}")) {
    const std::size_t index = parameter(p);
    constexpr const char* range = "a range such as [0, 1.5], or a number";
    const auto items = file_.items(p, range);
    if (items.size() > 2)
      file_.fail(p.value.Mark(), fmt::format("found {} numbers; expected {}", items.size(), range));
    const double low = file_.number(items.front(), range), high = file_.number(items.back(), range);
    if (items.size() == 1) {
      study_.start[index] = low;
      continue;
    }
    if (!(low < high))
      file_.fail(p.value.Mark(),
                 fmt::format("the range [{:g}, {:g}] is empty; write the lower end first", low, high));
    study_.searched.push_back({index, low, high});
    study_.start[index] = std::clamp(study_.start[index], low, high);
  }
  if (study_.searched.empty())
    file_.fail(e.mark, fmt::format("no parameter has a range; give one, such as {}: [0, 1]",
                                   study_.shape->parameters.front().name));
}

void StudyParts::read_objective(const Entry& e) {
  ShapeObjective& objective = study_.objective;
  if (e.value.IsScalar()) {
    objective.name = choice(e.value, {"drag", "lift", "lift_over_drag", "pressure_loss"});
    objective.is_pressure_loss = objective.name == "pressure_loss";
    objective.is_ratio = objective.name == "lift_over_drag";
    if (objective.name == "lift") objective.drag = 0, objective.lift = -1;
    if (objective.is_pressure_loss && study_.flow.name == "tow")
      file_.fail(e.value.Mark(),
                 "the walls of tow move and do work, so that it has no pressure loss of its own: "
                 "use problem: tunnel, or objective: drag");
    if (objective.is_pressure_loss) refuse_stops(e.value.Mark());
    return;
  }
  objective.drag = 0;
  read_map(e.value,
           "drag, lift, lift_over_drag, pressure_loss, weights such as {drag: 1, lift: -0.1}, or {wake_of: "
           "{ln_aspect: 0.5}}",
           {{"drag", [&](const Entry& x) { objective.drag = file_.number(x.value, "a weight"); }},
            {"lift", [&](const Entry& x) { objective.lift = file_.number(x.value, "a weight"); }},
            {"wake_of", [&](const Entry& x) { read_hidden(x); }}});
  if (!objective.is_of_wake()) {
    objective.name = fmt::format("{:g} drag {:+g} lift", objective.drag, objective.lift);
    return;
  }
  if (objective.drag != 0 || objective.lift != 0)
    file_.fail(e.value.Mark(),
               "'wake_of' has no weights next to it: the misfit of the wake is the objective");
  refuse_stops(e.value.Mark());
  if (study_.known)
    file_.fail(e.value.Mark(), "'known' is a ratio of drags, and the wake has none: leave it out");
}

void StudyParts::refuse_stops(const YAML::Mark& mark) const {
  if (study_.stop.is_on)
    file_.fail(mark, "early stops judge by forces, and the objective is of the whole flow: remove 'stop'");
}

void StudyParts::read_hidden(const Entry& e) {
  ShapeObjective& objective = study_.objective;
  objective.hidden = study_.start;
  objective.name = "misfit";
  for (const Entry& p : file_.entries(e.value, "parameters of the hidden body, such as {ln_aspect: 0.5}")) {
    const std::size_t index = parameter(p);
    const double value = objective.hidden[index] = file_.number(p.value, "the value of a parameter");
    const auto searched = std::find_if(study_.searched.begin(), study_.searched.end(),
                                       [&](const SearchedParameter& one) { return one.index == index; });
    if (searched == study_.searched.end())
      file_.fail(p.mark,
                 fmt::format("{} is not searched, so that it cannot be found: give it a range among the "
                             "parameters of the outline, or this value there",
                             p.key));
    if (value < searched->low || value > searched->high)
      file_.fail(p.value.Mark(), fmt::format("{} is {:g}, outside its range of {:g} to {:g}", p.key, value,
                                             searched->low, searched->high));
  }
  if (objective.hidden == study_.start)
    file_.fail(e.value.Mark(), "the hidden body is the one that a search begins with: give another value");
}

void StudyParts::read_optimiser(const Entry& e) {
  OptimiserChoice& optimiser = study_.optimiser;
  std::optional<Entry> population, points;
  const auto set_name = [&](const YAML::Node& node) { optimiser.name = choice(node, names_of_optimisers()); };
  if (e.value.IsScalar()) return set_name(e.value);
  read_map(e.value, "a name, or {name: cmaes, population: 16, seed: 1}",
           {{"name", [&](const Entry& x) { set_name(x.value); }},
            {"population", [&](const Entry& x) { population = x; }},
            {"points", [&](const Entry& x) { points = x; }},
            {"islands",
             [&](const Entry& x) { optimiser.islands = file_.integer(x.value, 1, "a number from 1 on"); }},
            {"seed", [&](const Entry& x) {
               optimiser.seed = unsigned(file_.integer(x.value, 0, "a number from 0 on"));
             }}});
  const auto& unused = optimiser.is_map() ? population : points;
  if (unused)
    file_.fail(unused->mark, fmt::format("{} has no '{}'; write {}", optimiser.name, unused->key,
                                         optimiser.is_map() ? "points: 24, of each parameter"
                                                            : "population: 16, the candidates a generation"));
  if (const auto& given = optimiser.is_map() ? points : population)
    optimiser.population = file_.integer(given->value, 2, "a number from 2 on");
  if (optimiser.is_map() && optimiser.islands > 1)
    file_.fail(e.value.Mark(), "a map has no islands: leave them out");
  const int least = find_optimiser(optimiser.name)->least_population;
  if (optimiser.population < least)
    file_.fail(e.value.Mark(), fmt::format("{} needs a population of at least {}, found {}", optimiser.name,
                                           least, optimiser.population));
}

void StudyParts::read_until(const Entry& e) {
  read_map(
      e.value, "limits such as {evaluations: 500, seconds: 600, change: 0.1 %, known: yes}",
      {{"evaluations",
        [&](const Entry& x) { study_.most_evaluations = file_.integer(x.value, 1, "a number from 1 on"); }},
       {"seconds",
        [&](const Entry& x) {
          study_.most_seconds = file_.positive(x.value, "a number of seconds above 0");
        }},
       {"change", [&](const Entry& x) { study_.least_gain = share(x.value); }},
       {"known", [&](const Entry& x) {
          study_.ends_at_known = choice(x.value, {"yes", "no"}) == "yes";
        }}});
}

void StudyParts::read_stop(const Entry& e) {
  StopRule& stop = study_.stop;
  stop.is_on = !(e.value.IsScalar() && e.value.Scalar() == "none");
  if (!stop.is_on || (e.value.IsScalar() && e.value.Scalar() == "bound")) return;
  read_map(e.value, "bound, none, or {margin: 1 %, audit: 2 %}",
           {{"margin", [&](const Entry& x) { stop.margin = share(x.value); }},
            {"audit", [&](const Entry& x) { stop.audit = share(x.value); }}});
  if (stop.audit > 1)
    file_.fail(e.value.Mark(), fmt::format("audit is {:g}; expected a share of at most 100 %", stop.audit));
}

void StudyParts::read_known(const Entry& e) {
  KnownRatio known;
  constexpr const char* expected = "{ratio: 0.746, within: 0.005}";
  read_map(e.value, expected,
           {{"ratio", [&](const Entry& x) { known.ratio = file_.positive(x.value, "a ratio above 0"); }},
            {"within", [&](const Entry& x) { known.within = file_.positive(x.value, "a number above 0"); }}});
  if (known.ratio == 0 || known.within == 0)
    file_.fail(e.value.Mark(), fmt::format("'ratio' and 'within' are required: write {}", expected));
  study_.known = known;
}

double StudyParts::share(const YAML::Node& node) const {
  const auto [value, is_percent] = with_unit(node, "%", "a share such as 0.1 %");
  return is_percent ? value / 100 : value;
}

void StudyParts::read_constraints(const Entry& e) {
  ShapeConstraints& limits = study_.constraints;
  const auto bounds = [&](const Entry& x) {
    constexpr const char* expected = "[least x, least y, largest x, largest y] in heights of the tunnel";
    const auto items = file_.items(x, expected);
    if (items.size() != 4)
      file_.fail(x.value.Mark(), fmt::format("found {} numbers; expected {}", items.size(), expected));
    limits.low = {file_.number(items[0], expected), file_.number(items[1], expected)};
    limits.high = {file_.number(items[2], expected), file_.number(items[3], expected)};
  };
  read_map(e.value, "constraints such as {thickness: 2 cells}",
           {{"thickness", [&](const Entry& x) { limits.thickness = thickness(x.value); }},
            {"bounds", bounds},
            {"contains", [&](const Entry& x) { limits.contains = frame(x.value); }}});
}

double StudyParts::thickness(const YAML::Node& node) const {
  const auto [value, in_cells] =
      with_unit(node, "cells", "a length such as 2 cells, or 0.02 in heights of the tunnel");
  return in_cells ? value / study_.flow.grid.ny : value;
}

Outline StudyParts::frame(const YAML::Node& node) const {
  namespace fs = std::filesystem;
  const fs::path name = file_.word(node, "a file with corners, one x and y per line");
  const fs::path beside = fs::path(study_.file).parent_path() / name;
  return at(node.Mark(), [&] { return read_polygon((fs::exists(beside) ? beside : name).string()).outline; });
}

}  // namespace cfdmark
