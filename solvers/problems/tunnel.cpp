// A wind tunnel: a channel of length 4 and height 1 with a body of diameter 1/8 at (1, 1/2), a parabolic
// inflow of mean speed 1 and an outlet. Normore 2010 evaluates shapes in such a tunnel (chapters 6 and 8)
// without stating its flow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

// With the body's diameter and the mean speed. The centre of the inflow is half as fast again, so from about
// Re = 30 on a circle sheds vortices and there is no steady flow.
const Setting reynolds = reynolds_setting(20);
const Setting shape = choice_setting("shape", {"circle", "rectangle", "diamond", "superellipse"}, "circle",
                                     "shape of the body");
const Setting diameter = real_setting("diameter", 0.125, real_between(0, 1),
                                      "diameter of the body across the flow, in tunnel heights");
// A superellipse is |x / a|^n + |y / b|^n <= 1: two numbers span symmetric shapes from a diamond to nearly a
// rectangle.
const Setting exponent = real_setting("exponent", 2, {Range::Kind::real, 0.5, 64},
                                      "n of a superellipse: 1 is a diamond, 2 an ellipse");
const Setting aspect = real_setting("aspect", 1, {Range::Kind::real, 0.25, 8},
                                    "length over diameter of a rectangle or superellipse");
constexpr double height = 1;

BodySize size_of(const Config& settings) {
  const double d = settings.real(diameter.name);
  const std::string& form = settings.choice(shape.name);
  const bool is_stretched = form == "rectangle" || form == "superellipse";
  return {is_stretched ? settings.real(aspect.name) * d : d, d};
}

std::string unsuitable(const Config& settings, const Grid& g) {
  return too_coarse(g, tunnel_width, height, size_of(settings));
}

// Returns the tunnel around a body of diameter d.
FlowProblem around(const std::function<bool(double x, double y)>& is_body, double d, const Config& settings,
                   const Grid& g, double length = tunnel_width) {
  FlowBox box{.width = length, .height = height, .viscosity = d / settings.real(reynolds.name)};
  box.west.u = [](double, double y) { return 6 * y * (1 - y); };
  box.east.kind = FaceKind::outlet;
  box.outlet_gives_pressure = gives_pressure(settings);
  box.is_body = is_body;
  FlowProblem problem = flow_in_box(g, box);
  problem.force_scale = d / 2;
  return problem;
}

FlowProblem make(const Config& settings, const Grid& g) {
  const auto [length, d] = size_of(settings);
  const std::string form = settings.choice(shape.name);
  const double n = settings.real(exponent.name);
  const auto is_body = [=](double x, double y) {
    const double right = std::abs(x - 1) / (length / 2), up = std::abs(y - 0.5) / (d / 2);
    if (form == "superellipse") return std::pow(right, n) + std::pow(up, n) <= 1;
    if (form == "rectangle") return std::max(right, up) <= 1;
    return form == "circle" ? right * right + up * up <= 1 : right + up <= 1;
  };
  return around(is_body, d, settings, g);
}

std::vector<NamedValue> results(const FlowProblem&, const FlowFields&) { return {}; }

}  // namespace

FlowProblem tunnel_around(const DrawnBody& body, const Grid& g, const Config& settings) {
  const FlowProblemDescription& tunnel = *find_flow_problem("tunnel");
  TuningSpace{tunnel.settings}.check(settings);
  try {
    const std::string reason = too_coarse(g, body.tunnel_length, height, {body.length, body.diameter});
    if (!reason.empty()) throw std::invalid_argument(reason);
    FlowProblem problem = around(body.is_solid, body.diameter * height, settings, g, body.tunnel_length);
    problem.description = &tunnel;
    problem.settings = settings;
    note_speeds(problem);
    return problem;
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(fmt::format("{}: {}", body.file, refused.what()));
  }
}

FlowProblemDescription tunnel_problem() {
  return {.name = "tunnel",
          .help = "a wind tunnel, 4 x 1, with a body of staircase cells: drag and lift",
          .settings = {reynolds, shape, diameter, exponent, aspect, outlet_setting()},
          .make = make,
          .results = results,
          .unsuitable = unsuitable};
}

}  // namespace cfdmark
