// A wind tunnel: a channel of length 4 and height 1 with a body of diameter 1/8 at (1, 1/2), a parabolic
// inflow of mean speed 1 and an outlet. Normore 2010 evaluates shapes in such a tunnel (chapters 6 and 8)
// without stating its flow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "solvers/problems/flow_problem.hpp"
#include "solvers/problems/flow_start.hpp"
#include "solvers/problems/known_drag.hpp"
#include "solvers/shape/constraints.hpp"

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
// Shapes of one area have one fluid and one scale of forces.
const Setting area = real_setting(
    "area", 0, {Range::Kind::real, 0, 1},
    "area of the body, in tunnel heights squared: it is scaled to it instead of to the diameter, and the "
    "reference length is sqrt(4 area / pi); 0: the diameter of the body is the reference length");
constexpr double height = 1;

// Returns the part of its bounding box that a shape of the settings fills.
double filled_part(const Config& settings) {
  const std::string& form = settings.choice(shape.name);
  if (form == "rectangle") return 1;
  if (form == "diamond") return 0.5;
  const double n = form == "superellipse" ? settings.real(exponent.name) : 2;
  return std::pow(std::tgamma(1 + 1 / n), 2) / std::tgamma(1 + 2 / n);
}

BodySize size_of(const Config& settings) {
  const std::string& form = settings.choice(shape.name);
  const bool is_stretched = form == "rectangle" || form == "superellipse";
  const double stretch = is_stretched ? settings.real(aspect.name) : 1, scaled_to = settings.real(area.name);
  const double d =
      scaled_to > 0 ? std::sqrt(scaled_to / (filled_part(settings) * stretch)) : settings.real(diameter.name);
  return {stretch * d, d};
}

// Returns the length of Reynolds number and force coefficients: that of the area of the settings, or `own`.
double reference_length(const Config& settings, double own) {
  const double scaled_to = settings.real(area.name);
  return scaled_to > 0 ? std::sqrt(4 * scaled_to / std::numbers::pi) : own;
}

// Returns why a body of this size does not suit the grid; empty if it does.
std::string unsuitable_size(const Grid& g, double length, const BodySize& size) {
  if (size.diameter >= height || size.length >= length)
    return fmt::format(
        "the body is {:.3g} long and {:.3g} high, but the tunnel is {} x {}: use a smaller area", size.length,
        size.diameter, length, height);
  return too_coarse(g, length, height, size);
}

std::string unsuitable(const Config& settings, const Grid& g) {
  return settings.real(area.name) > 0 ? unsuitable_size(g, tunnel_width, size_of(settings))
                                      : too_coarse(g, tunnel_width, height, size_of(settings));
}

// Returns the tunnel around a body whose reference length is `reference`.
FlowProblem around(const std::function<bool(double x, double y)>& is_body, double reference,
                   const Config& settings, const Grid& g, double length = tunnel_width) {
  FlowBox box{.width = length, .height = height, .viscosity = reference / settings.real(reynolds.name)};
  box.west.u = [](double, double y) { return 6 * y * (1 - y); };
  box.east.kind = FaceKind::outlet;
  box.outlet_gives_pressure = gives_pressure(settings);
  box.is_body = is_body;
  box.wall_distances = has_true_walls(settings);
  FlowProblem problem = flow_in_box(g, box);
  problem.force_scale = reference / 2;
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
  return around(is_body, reference_length(settings, d), settings, g);
}

// Returns the body scaled to the area of the settings, if they have one. Throws std::invalid_argument for an
// image with an area or with true walls.
DrawnBody scaled(const DrawnBody& body, const Config& settings) {
  const double scaled_to = settings.real(area.name);
  const bool is_image = body.outline.corners.empty();
  const auto refuse = [&](const char* why) { throw std::invalid_argument(body.file + ": " + why); };
  if (is_image && has_true_walls(settings))
    refuse("an image has no outline for surface=distances; use surface=staircase, or --polygon");
  if (is_image && scaled_to > 0)
    refuse("an image cannot be scaled to an area; leave it out, or use --polygon");
  if (scaled_to == 0) return body;
  if (crosses_itself(body.outline)) refuse("the outline crosses itself and cannot be scaled to an area");
  return body_inside(scaled_to_area(body.outline, scaled_to), body.file);
}

std::vector<NamedValue> results(const FlowProblem&, const FlowFields&) { return {}; }
std::vector<PublishedValue> published(const FlowProblem& problem, double) {
  return known_drag(problem.settings);
}
// Returns the description of a tunnel around a drawn body, whose drag is not known.
const FlowProblemDescription& drawn_tunnel() {
  static const FlowProblemDescription drawn = [] {
    FlowProblemDescription tunnel = tunnel_problem();
    tunnel.published = nullptr;
    return tunnel;
  }();
  return drawn;
}

FlowProblem tunnel_of(const DrawnBody& drawn, const Grid& g, const Config& settings, bool may_be_coarse) {
  const FlowProblemDescription& tunnel = drawn_tunnel();
  TuningSpace{tunnel.settings}.check(settings);
  const DrawnBody body = scaled(drawn, settings);
  try {
    const std::string reason =
        may_be_coarse ? "" : too_coarse(g, body.tunnel_length, height, {body.length, body.diameter});
    if (!reason.empty()) throw std::invalid_argument(reason);
    FlowProblem problem =
        around(body.is_solid, reference_length(settings, body.reference > 0 ? body.reference : body.diameter),
               settings, g, body.tunnel_length);
    problem.description = &tunnel;
    problem.settings = settings;
    note_speeds(problem);
    return problem;
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(fmt::format("{}: {}", body.file, refused.what()));
  }
}

}  // namespace

FlowProblem tunnel_around(const DrawnBody& drawn, const Grid& g, const Config& settings) {
  return tunnel_of(drawn, g, settings, false);
}

FlowProblem coarse_tunnel_around(const DrawnBody& drawn, const Grid& g, const Config& settings) {
  return tunnel_of(drawn, g, settings, true);
}

FlowProblemDescription tunnel_problem() {
  return {.name = "tunnel",
          .help = "a wind tunnel, 4 x 1, with a body: drag and lift",
          .settings = {reynolds, shape, diameter, exponent, aspect, outlet_setting(), area, wall_setting()},
          .make = make,
          .results = results,
          .published = published,
          .unsuitable = unsuitable};
}

}  // namespace cfdmark
