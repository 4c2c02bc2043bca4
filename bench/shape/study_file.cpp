#include "bench/shape/shape_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <stdexcept>

#include "bench/case/given_settings.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/device_facts/allowed_cpus.hpp"
#include "bench/shape/key_reader.hpp"
#include "bench/shape/tunnel_row.hpp"
#include "solvers/families.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

constexpr double usual_diameter = 0.125;
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

int usable_cpus() {
  const cpu_set_t allowed = allowed_cpus();
  return std::max(1, CPU_COUNT(&allowed));
}

class StudyReader : private KeyReader {
 public:
  explicit StudyReader(const std::string& path)
      : KeyReader(path, "shape file", "'question', 'outline', 'grid' and others") {
    study_.file = path;
  }

  ShapeStudy read() {
    read_map(
        file_.root(), "a map with 'question', 'outline', 'grid' and others",
        {{"question", [&](const Entry& e) { study_.question = file_.word(e.value, "a question"); }},
         {"problem", [&](const Entry& e) { choice(e.value, {"tunnel"}); }},
         {"reynolds", [&](const Entry& e) { reynolds_ = file_.positive(e.value, "a number above 0"); }},
         {"area", [&](const Entry& e) { read_area(e); }},
         {"outline", [&](const Entry& e) { read_outline(e); }},
         {"constraints", [&](const Entry& e) { constraints_ = e; }},
         {"objective", [&](const Entry& e) { read_objective(e); }},
         {"grid", [&](const Entry& e) { study_.flow.grid = grid(e.value), grid_mark_ = e.value.Mark(); }},
         {"backend", [&](const Entry& e) { backend_ = word_of(e.value, all_backends); }},
         {"device",
          [&](const Entry& e) { study_.flow.device = file_.integer(e.value, 0, "a device number"); }},
         {"precision", [&](const Entry& e) { precision_ = word_of(e.value, all_precisions); }},
         {"workers",
          [&](const Entry& e) { study_.flow.workers = file_.integer(e.value, 1, "a number from 1 on"); }},
         {"slots",
          [&](const Entry& e) { study_.flow.slots = file_.integer(e.value, 0, "a number from 0 on"); }},
         {"settings", [&](const Entry& e) { settings_ = e; }},
         {"optimiser", [&](const Entry& e) { read_optimiser(e); }},
         {"until", [&](const Entry& e) { read_until(e); }},
         {"confirm", [&](const Entry& e) { read_confirmation(e); }}});
    if (study_.question.empty())
      fail_missing("question", "such as question: Which ellipse has the least drag?");
    if (!study_.shape) fail_missing("outline", "such as outline: sine");
    if (study_.flow.grid.nx == 0) fail_missing("grid", "such as grid: 256x128");
    finish();
    return std::move(study_);
  }

 private:
  [[noreturn]] void fail_missing(const char* key, const char* example) const {
    file_.fail(file_.root().Mark(), fmt::format("'{}' is missing; add it, {}", key, example));
  }

  Grid grid(const YAML::Node& node) const {
    const std::string text = file_.word(node, any_grid);
    const Grid g = at(node.Mark(), [&] { return asked_grid(text); });
    if (g.is_3d())
      file_.fail(node.Mark(), fmt::format("the tunnel is 2-D, found {}; expected {}", text, any_grid));
    return g;
  }

  void read_area(const Entry& e) {
    study_.area = file_.positive(e.value, "an area in squares of the tunnel's height");
    if (study_.area > 0.25)
      file_.fail(
          e.value.Mark(),
          fmt::format("the area {:g} is larger than a quarter of the tunnel's height squared", study_.area));
  }

  void read_outline(const Entry& e) {
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

  // A range is searched, a number is fixed; parameters that are not named keep their start.
  void read_parameters(const Entry& e) {
    const auto& all = study_.shape->parameters;
    std::vector<std::string> names;
    for (const ShapeParameter& p : all) names.push_back(p.name);
    for (const Entry& p : file_.entries(e.value, "a map such as {ln_length: [0, 1.5], b2: 0}")) {
      const auto found = std::find(names.begin(), names.end(), p.key);
      if (found == names.end())
        file_.fail(p.mark, fmt::format("{} has no parameter '{}'; expected {}{}", study_.shape->name, p.key,
                                       one_of(names), did_you_mean(p.key, names)));
      const std::size_t index = std::size_t(found - names.begin());
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
      file_.fail(e.mark,
                 fmt::format("no parameter has a range; give one, such as {}: [0, 1]", names.front()));
  }

  void read_objective(const Entry& e) {
    ShapeObjective& objective = study_.objective;
    if (e.value.IsScalar()) {
      objective.name = choice(e.value, {"drag", "lift", "lift_over_drag"});
      objective.is_ratio = objective.name == "lift_over_drag";
      if (objective.name == "lift") objective.drag = 0, objective.lift = -1;
      return;
    }
    objective.drag = 0;
    read_map(e.value, "drag, lift, lift_over_drag, or weights such as {drag: 1, lift: -0.1}",
             {{"drag", [&](const Entry& x) { objective.drag = file_.number(x.value, "a weight"); }},
              {"lift", [&](const Entry& x) { objective.lift = file_.number(x.value, "a weight"); }}});
    objective.name = fmt::format("{:g} drag {:+g} lift", objective.drag, objective.lift);
  }

  void read_optimiser(const Entry& e) {
    OptimiserChoice& optimiser = study_.optimiser;
    const auto set_name = [&](const YAML::Node& node) {
      optimiser.name = choice(node, names_of_optimisers());
    };
    if (e.value.IsScalar()) return set_name(e.value);
    read_map(
        e.value, "a name, or {name: cmaes, population: 16, seed: 1}",
        {{"name", [&](const Entry& x) { set_name(x.value); }},
         {"population",
          [&](const Entry& x) { optimiser.population = file_.integer(x.value, 2, "a number from 2 on"); }},
         {"seed", [&](const Entry& x) {
            optimiser.seed = unsigned(file_.integer(x.value, 0, "a number from 0 on"));
          }}});
    const int least = find_optimiser(optimiser.name)->least_population;
    if (optimiser.population < least)
      file_.fail(e.value.Mark(), fmt::format("{} needs a population of at least {}, found {}", optimiser.name,
                                             least, optimiser.population));
  }

  void read_until(const Entry& e) {
    read_map(
        e.value, "limits such as {evaluations: 500, seconds: 600, change: 0.1 %}",
        {{"evaluations",
          [&](const Entry& x) { study_.most_evaluations = file_.integer(x.value, 1, "a number from 1 on"); }},
         {"seconds",
          [&](const Entry& x) {
            study_.most_seconds = file_.positive(x.value, "a number of seconds above 0");
          }},
         {"change", [&](const Entry& x) {
            const auto [value, is_percent] = with_unit(x.value, "%", "a share such as 0.1 %");
            study_.least_gain = is_percent ? value / 100 : value;
          }}});
  }

  void read_confirmation(const Entry& e) {
    has_finer_ = !(e.value.IsScalar() && e.value.Scalar() == "none");
    if (!has_finer_) return;
    read_map(e.value, "{grid: 512x256, places: 8}, or none",
             {{"grid", [&](const Entry& x) { study_.finer = grid(x.value); }},
              {"places",
               [&](const Entry& x) { study_.places = file_.integer(x.value, 2, "a number from 2 on"); }}});
  }

  void read_constraints(const Entry& e) {
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

  double thickness(const YAML::Node& node) const {
    const auto [value, in_cells] =
        with_unit(node, "cells", "a length such as 2 cells, or 0.02 in heights of the tunnel");
    return in_cells ? value / study_.flow.grid.ny : value;
  }

  // Returns a polygon from a file, whose name may be relative to the shape file.
  Outline frame(const YAML::Node& node) const {
    namespace fs = std::filesystem;
    const fs::path name = file_.word(node, "a file with corners, one x and y per line");
    const fs::path beside = fs::path(study_.file).parent_path() / name;
    return at(node.Mark(),
              [&] { return read_polygon((fs::exists(beside) ? beside : name).string()).outline; });
  }

  void finish() {
    if (study_.area == 0) study_.area = std::numbers::pi * usual_diameter * usual_diameter / 4;
    TunnelFlow& flow = study_.flow;
    flow.reference = std::sqrt(4 * study_.area / std::numbers::pi);
    ShapeConstraints& limits = study_.constraints;
    limits.low = {0.125, 2 * flow.reference}, limits.high = {tunnel_width - 0.125, 1 - 2 * flow.reference};
    limits.thickness = 2.0 / flow.grid.ny;
    if (constraints_) read_constraints(*constraints_);
    if (has_finer_ && !study_.finer) study_.finer = Grid{2 * flow.grid.nx, 2 * flow.grid.ny};
    workload_ = tunnel_workload();
    // Three times what the slowest of many bodies took; the iterations grow with the cells along the tunnel.
    workload_.set("max_iterations", 30 * flow.grid.nx);
    flow.row = &tunnel_row(backend_, precision_, flow.grid, workload_, study_.file);
    read_settings();
    if (flow.slots < 0)
      flow.slots = flow.row->backend == BackendKind::cuda ? std::min(study_.optimiser.population, 32) : 0;
    if (flow.workers == 0) flow.workers = flow.row->backend == BackendKind::serial ? usable_cpus() : 1;
  }

  // Settings of the tunnel and of the solver. Body and fluid follow from the other keys.
  void read_settings() {
    TunnelFlow& flow = study_.flow;
    std::vector<Setting> allowed = workload_space(*flow.row, "tunnel").settings;
    const std::vector<std::string> own_keys = {"problem",  "reynolds", "shape", "diameter",
                                               "exponent", "aspect",   "area"};
    std::erase_if(allowed, [&](const Setting& s) {
      return std::find(own_keys.begin(), own_keys.end(), s.name) != own_keys.end();
    });
    const std::size_t of_workload = allowed.size();
    allowed.insert(allowed.end(), flow.row->space.settings.begin(), flow.row->space.settings.end());
    Config given = usual_tunnel_settings(flow.row->space);
    if (settings_)
      for (const Entry& e : file_.entries(settings_->value, "settings such as {velocity_relaxation: 0.9}")) {
        GivenSettings one;
        one.pairs = {e.key + "=" + file_.word(e.value, "a value")};
        const Config value = at(e.mark, [&] { return one.values(allowed, "simple"); });
        const bool is_workload =
            find_setting({allowed.begin(), allowed.begin() + std::ptrdiff_t(of_workload)}, e.key);
        for (const auto& [name, v] : value.values()) (is_workload ? workload_ : given).set(name, v);
      }
    const YAML::Mark mark = settings_ ? settings_->mark : file_.root().Mark();
    flow.config = at(mark, [&] { return flow.row->space.complete(given); });
    workload_.set("reynolds", reynolds_);
    flow.tolerance = workload_.real("tolerance"), flow.max_iterations = workload_.integer("max_iterations");
    flow.problem = problem_settings(*find_problem(*flow.row->family, "tunnel"), workload_);
    Config of_circle = workload_;
    of_circle.set("area", study_.area * (1 + 1e-9));  // a circle of four cells is not too small by rounding
    if (flow.row->unsupported)
      if (const std::string why = flow.row->unsupported(Domain(flow.grid), of_circle); !why.empty())
        file_.fail(grid_mark_, why);
  }

  ShapeStudy study_ = [] {
    ShapeStudy s;
    s.flow.grid = Grid{0, 0};
    s.flow.workers = 0, s.flow.slots = -1;
    return s;
  }();
  double reynolds_ = 20;
  bool has_finer_ = true;
  YAML::Mark grid_mark_;
  std::string backend_, precision_ = "fp32";
  std::optional<Entry> constraints_, settings_;
  Config workload_;
};

}  // namespace

ShapeStudy read_shape_study(const std::string& path) { return StudyReader(path).read(); }

}  // namespace cfdmark
