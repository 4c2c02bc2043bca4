// tunnel: a channel of length 4 and height 1 with a body of diameter 1/8 at (1, 1/2), a parabolic inflow of
// mean speed 1 and an outlet. Normore 2010 evaluates shapes in such a tunnel (chapters 6 and 8) without
// stating its flow.
// tow: the same body towed through fluid at rest, seen from the body: a uniform inflow of speed 1, and walls
// that move with it. Without inertia all energy is dissipated at the body's speed, and the body of least drag
// has one |vorticity| all along its surface (Pironneau 1974).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "solvers/problems/flow_problem.hpp"
#include "solvers/problems/flow_start.hpp"
#include "solvers/problems/known_drag.hpp"
#include "solvers/shape/constraints.hpp"
#include "solvers/shape/parametrisation.hpp"

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

// A body, and whether it is towed.
struct PosedBody {
  std::function<bool(double x, double y)> is_solid;
  Outline outline;  // without corners for an image
  bool is_towed = false;
};

// Returns the flow around a body whose reference length is `reference`.
FlowProblem around(const PosedBody& body, double reference, const Config& settings, const Grid& g,
                   double length = tunnel_width) {
  FlowBox box{.width = length, .height = height, .viscosity = reference / settings.real(reynolds.name)};
  const auto uniform = [](double, double) { return 1.0; };
  if (body.is_towed)
    box.west.u = box.south.u = box.north.u = uniform;
  else
    box.west.u = [](double, double y) { return 6 * y * (1 - y); };
  box.east.kind = FaceKind::outlet;
  box.outlet_gives_pressure = gives_pressure(settings);
  box.is_body = body.is_solid;
  box.wall_distances = has_true_walls(settings);
  FlowProblem problem = flow_in_box(g, box);
  problem.force_scale = reference / 2;
  problem.outline = body.outline;
  return problem;
}

// Returns the outline of a shape of the settings.
Outline outline_of(const Config& settings) {
  const auto [length, d] = size_of(settings);
  if (settings.choice(shape.name) == "rectangle") {
    const double x = length / 2, y = d / 2;
    return moved({{{x, -y}, {x, y}, {-x, y}, {-x, -y}}}, {1, 0.5});
  }
  const double n = settings.choice(shape.name) == "superellipse" ? settings.real(exponent.name)
                   : settings.choice(shape.name) == "diamond"    ? 1
                                                                 : 2;
  return moved(find_parametrisation("superellipse")
                   .outline({std::log(length / d), std::log(n), 0}, filled_part(settings) * length * d),
               {1, 0.5});
}

FlowProblem made(const Config& settings, const Grid& g, bool is_towed) {
  const auto [length, d] = size_of(settings);
  const std::string form = settings.choice(shape.name);
  const double n = settings.real(exponent.name);
  const auto is_body = [=](double x, double y) {
    const double right = std::abs(x - 1) / (length / 2), up = std::abs(y - 0.5) / (d / 2);
    if (form == "superellipse") return std::pow(right, n) + std::pow(up, n) <= 1;
    if (form == "rectangle") return std::max(right, up) <= 1;
    return form == "circle" ? right * right + up * up <= 1 : right + up <= 1;
  };
  return around({is_body, outline_of(settings), is_towed}, reference_length(settings, d), settings, g);
}
FlowProblem make_tunnel(const Config& settings, const Grid& g) { return made(settings, g, false); }
FlowProblem make_tow(const Config& settings, const Grid& g) { return made(settings, g, true); }

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
std::vector<PublishedValue> published_of_tow(const FlowProblem& problem, double) {
  return known_drag_of_tow(problem.settings);
}
// Returns the description of the flow around a drawn body, whose drag is not known.
const FlowProblemDescription& drawn(const std::string& problem) {
  const auto without_published = [](FlowProblemDescription of) {
    of.published = nullptr;
    return of;
  };
  static const FlowProblemDescription in_tunnel = without_published(tunnel_problem()),
                                      towed = without_published(tow_problem());
  if (problem == towed.name) return towed;
  if (problem == in_tunnel.name) return in_tunnel;
  throw std::invalid_argument(fmt::format("{} takes no drawn body; use tunnel or tow", problem));
}

FlowProblem tunnel_of(const DrawnBody& drawn_body, const Grid& g, const Config& settings,
                      const std::string& problem_name, bool may_be_coarse) {
  const FlowProblemDescription& tunnel = drawn(problem_name);
  TuningSpace{tunnel.settings}.check(settings);
  const DrawnBody body = scaled(drawn_body, settings);
  try {
    const std::string reason =
        may_be_coarse ? "" : too_coarse(g, body.tunnel_length, height, {body.length, body.diameter});
    if (!reason.empty()) throw std::invalid_argument(reason);
    FlowProblem problem =
        around({body.is_solid, body.outline, tunnel.name == tow_problem().name},
               reference_length(settings, body.reference > 0 ? body.reference : body.diameter), settings, g,
               body.tunnel_length);
    problem.description = &tunnel;
    problem.settings = settings;
    note_speeds(problem);
    return problem;
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(fmt::format("{}: {}", body.file, refused.what()));
  }
}

}  // namespace

FlowProblem tunnel_around(const DrawnBody& body, const Grid& g, const Config& settings,
                          const std::string& problem) {
  return tunnel_of(body, g, settings, problem, false);
}

FlowProblem coarse_tunnel_around(const DrawnBody& body, const Grid& g, const Config& settings,
                                 const std::string& problem) {
  return tunnel_of(body, g, settings, problem, true);
}

std::vector<Grid> coarser_tunnel_grids(const Grid& finest, double diameter) {
  constexpr double least_cells_across = 4;
  std::vector<Grid> grids;
  for (Grid g = finest; g.nx % 2 == 0 && g.ny % 2 == 0;) {
    g.nx /= 2, g.ny /= 2;
    if (diameter * g.ny < least_cells_across || diameter * g.nx / tunnel_width < 1) break;
    grids.push_back(g);
  }
  return grids;
}

FlowProblemDescription tunnel_problem() {
  return {.name = "tunnel",
          .help = "a wind tunnel, 4 x 1, with a body: drag and lift",
          .settings = {reynolds, shape, diameter, exponent, aspect, outlet_setting(), area, wall_setting()},
          .make = make_tunnel,
          .results = results,
          .published = published,
          .unsuitable = unsuitable};
}

FlowProblemDescription tow_problem() {
  FlowProblemDescription tow = tunnel_problem();
  tow.name = "tow";
  tow.help = "a body towed through fluid at rest, 4 x 1: drag, lift and the vorticity on its surface";
  tow.make = make_tow;
  tow.published = published_of_tow;
  return tow;
}

}  // namespace cfdmark
