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
#include "bench/shape/study_parts.hpp"
#include "bench/shape/tunnel_row.hpp"
#include "kernels/device/cpu/allowed_cpus.hpp"
#include "solvers/families.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

constexpr double usual_diameter = 0.125;

int usable_cpus() {
  const cpu_set_t allowed = allowed_cpus();
  return std::max(1, CPU_COUNT(&allowed));
}

class StudyReader : private StudyParts {
 public:
  explicit StudyReader(const std::string& path)
      : StudyParts(path, "shape file", "'question', 'outline', 'grid' and others") {
    study_.file = path;
    study_.flow.grid = Grid{0, 0};
    study_.flow.workers = 0, study_.flow.slots = -1;
  }

  ShapeStudy read() {
    read_map(
        file_.root(), "a map with 'question', 'outline', 'grid' and others",
        {{"question", [&](const Entry& e) { study_.question = file_.word(e.value, "a question"); }},
         {"problem",
          [&](const Entry& e) {
            study_.flow.name = choice(e.value, {"tunnel", "tow"});
          }},
         {"reynolds", [&](const Entry& e) { reynolds_ = file_.positive(e.value, "a number above 0"); }},
         {"area", [&](const Entry& e) { read_area(e); }},
         {"outline", [&](const Entry& e) { read_outline(e); }},
         {"constraints", [&](const Entry& e) { constraints_ = e; }},
         {"objective", [&](const Entry& e) { objective_ = e; }},
         {"grid", [&](const Entry& e) { study_.flow.grid = grid(e.value), grid_mark_ = e.value.Mark(); }},
         {"backend", [&](const Entry& e) { backend_ = word_of(e.value, all_backends); }},
         {"device",
          [&](const Entry& e) { study_.flow.device = file_.integer(e.value, 0, "a device number"); }},
         {"devices", [&](const Entry& e) { read_devices(e); }},
         {"precision", [&](const Entry& e) { precision_ = word_of(e.value, all_precisions); }},
         {"workers",
          [&](const Entry& e) { study_.flow.workers = file_.integer(e.value, 1, "a number from 1 on"); }},
         {"slots",
          [&](const Entry& e) { study_.flow.slots = file_.integer(e.value, 0, "a number from 0 on"); }},
         {"settings", [&](const Entry& e) { settings_ = e; }},
         {"start", [&](const Entry& e) { study_.flow.start = start(e.value); }},
         {"stop", [&](const Entry& e) { read_stop(e); }},
         {"optimiser", [&](const Entry& e) { read_optimiser(e); }},
         {"known", [&](const Entry& e) { read_known(e); }},
         {"until", [&](const Entry& e) { read_until(e); }},
         {"confirm", [&](const Entry& e) { read_confirmation(e); }}});
    if (study_.question.empty())
      fail_missing("question", "such as question: Which ellipse has the least drag?");
    if (!study_.shape) fail_missing("outline", "such as outline: sine");
    if (study_.flow.grid.nx == 0) fail_missing("grid", "such as grid: 256x128");
    if (study_.ends_at_known && !study_.known)
      fail_missing("known", "such as known: {ratio: 0.746, within: 0.005}, at which the search is to end");
    finish();
    return std::move(study_);
  }

 private:
  [[noreturn]] void fail_missing(const char* key, const char* example) const {
    file_.fail(file_.root().Mark(), fmt::format("'{}' is missing; add it, {}", key, example));
  }

  void read_devices(const Entry& e) {
    constexpr const char* expected = "device numbers such as [0, 1]";
    std::vector<int>& all = study_.flow.devices;
    for (const YAML::Node& item : file_.items(e, expected)) {
      const int device = file_.integer(item, 0, expected);
      if (std::find(all.begin(), all.end(), device) != all.end())
        file_.fail(item.Mark(), fmt::format("device {} is named twice", device));
      all.push_back(device);
    }
    study_.flow.device = all.front();
  }

  FlowStart start(const YAML::Node& node) const {
    const std::string word = word_of(node, all_flow_starts);
    return *std::find_if(std::begin(all_flow_starts), std::end(all_flow_starts),
                         [&](FlowStart s) { return to_string(s) == word; });
  }

  void read_area(const Entry& e) {
    study_.area = file_.positive(e.value, "an area in squares of the tunnel's height");
    if (study_.area > 0.25)
      file_.fail(
          e.value.Mark(),
          fmt::format("the area {:g} is larger than a quarter of the tunnel's height squared", study_.area));
  }

  void read_confirmation(const Entry& e) {
    confirmation_mark_ = e.value.Mark();
    has_finer_ = !(e.value.IsScalar() && e.value.Scalar() == "none");
    if (!has_finer_) return;
    read_map(e.value, "{grid: 512x256, places: 8}, or none",
             {{"grid", [&](const Entry& x) { study_.finer = grid(x.value); }},
              {"places",
               [&](const Entry& x) { study_.places = file_.integer(x.value, 2, "a number from 2 on"); }}});
  }

  void finish() {
    if (study_.area == 0) study_.area = std::numbers::pi * usual_diameter * usual_diameter / 4;
    TunnelFlow& flow = study_.flow;
    flow.reference = std::sqrt(4 * study_.area / std::numbers::pi);
    ShapeConstraints& limits = study_.constraints;
    limits.low = {0.125, 2 * flow.reference}, limits.high = {tunnel_width - 0.125, 1 - 2 * flow.reference};
    limits.thickness = 2.0 / flow.grid.ny;
    if (constraints_) read_constraints(*constraints_);
    if (objective_) read_objective(*objective_);
    if (study_.objective.is_of_wake()) {
      if (confirmation_mark_ && has_finer_)
        file_.fail(*confirmation_mark_, "a wake is compared on its own grid only: write confirm: none");
      has_finer_ = false;
    }
    if (study_.optimiser.is_map() && (study_.stop.is_on || study_.least_gain > 0 || study_.ends_at_known))
      file_.fail(file_.root().Mark(),
                 "a map solves every point to its end: remove 'stop', and 'change' and 'known' "
                 "of 'until'");
    if (study_.most_evaluations == 0) study_.most_evaluations = usual_evaluations();
    if (has_finer_ && !study_.finer) study_.finer = Grid{2 * flow.grid.nx, 2 * flow.grid.ny};
    workload_ = tunnel_workload(flow.name);
    // Three times what the slowest of many bodies took; the iterations grow with the cells along the tunnel.
    workload_.set("max_iterations", 30 * flow.grid.nx);
    flow.row = &tunnel_row(backend_, precision_, flow.grid, workload_, study_.file);
    read_settings();
    for (const int device : flow.devices)
      if (const std::string why = unavailable_reason({flow.row->backend, device}); !why.empty())
        throw std::invalid_argument(fmt::format("{}: devices: {}", study_.file, why));
    if (flow.slots < 0)
      // A stack has no moving walls.
      flow.slots = flow.row->backend == BackendKind::cuda && flow.name == "tunnel"
                       ? std::min(study_.optimiser.population, 32)
                       : 0;
    if (flow.workers == 0) flow.workers = flow.row->backend == BackendKind::serial ? usable_cpus() : 1;
  }

  // All points of a map.
  int usual_evaluations() const {
    if (!study_.optimiser.is_map()) return 500;
    constexpr double most = 1e6;
    const double points = std::pow(study_.optimiser.population, double(study_.searched.size()));
    if (points > most)
      file_.fail(
          file_.root().Mark(),
          fmt::format("a map of {} points a parameter has {:g} flows; the limit is {:g}: fewer points, "
                      "fewer ranges, or a search",
                      study_.optimiser.population, points, most));
    return int(points);
  }

  // Settings of the tunnel and of the solver. Body and fluid follow from the other keys.
  void read_settings() {
    TunnelFlow& flow = study_.flow;
    std::vector<Setting> allowed = workload_space(*flow.row, flow.name).settings;
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
    flow.problem = problem_settings(*find_problem(*flow.row->family, flow.name), workload_);
    Config of_circle = workload_;
    of_circle.set("area", study_.area * (1 + 1e-9));  // a circle of four cells is not too small by rounding
    if (flow.row->unsupported)
      if (const std::string why = flow.row->unsupported(Domain(flow.grid), of_circle); !why.empty())
        file_.fail(grid_mark_, why);
  }

  double reynolds_ = 20;
  bool has_finer_ = true;
  YAML::Mark grid_mark_;
  std::optional<YAML::Mark> confirmation_mark_;
  std::string backend_, precision_ = "fp32";
  std::optional<Entry> constraints_, objective_, settings_;
  Config workload_;
};

}  // namespace

ShapeStudy read_shape_study(const std::string& path) { return StudyReader(path).read(); }

}  // namespace cfdmark
