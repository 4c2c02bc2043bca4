// A wind tunnel: a channel, 4 long and 1 high, with a body of diameter 1/8 at (1, 1/2), a parabolic inflow of
// mean speed 1 and an outlet. Normore 2010 evaluates shapes in one (chapters 6 and 8) and does not state its
// flow.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting reynolds = reynolds_setting(40, "the body's diameter and the mean speed");
const Setting shape = word_setting("shape", {"circle", "square", "diamond"}, "circle", "of the body");
const Setting diameter =
    real_setting("diameter", 0.125, real_between(0, 1), "of the body, in heights of the tunnel");
constexpr double least_cells = 4;  // across a body: of fewer one cannot tell the shape

FlowProblem make(const FlowProblemDescription& description, const Config& settings, const Grid& g) {
  const double d = settings.real(diameter.name);
  const std::string form = settings.word(shape.name);
  FlowBox box{.width = 4, .viscosity = d / settings.real(reynolds.name)};
  const double across = d / std::max(box.width / g.nx, box.height / g.ny);
  if (across < least_cells)
    throw std::invalid_argument(fmt::format(
        "{}: the body is {:.2g} cells across on {}x{}: at least {} are needed, as on {}x{}", description.name,
        across, g.nx, g.ny, least_cells, int(std::ceil(box.width * least_cells / d)),
        int(std::ceil(box.height * least_cells / d))));
  box.west.u = [](double, double y) { return 6 * y * (1 - y); };
  box.east.kind = FaceKind::outlet;
  box.is_body = [=](double x, double y) {
    const double right = std::abs(x - 1) / (d / 2), up = std::abs(y - 0.5) / (d / 2);
    if (form == "square") return std::max(right, up) <= 1;
    return form == "circle" ? right * right + up * up <= 1 : right + up <= 1;
  };
  FlowProblem problem = flow_in_box(g, box);
  problem.force_scale = d / 2;
  return problem;
}

std::vector<NamedValue> results(const FlowProblem&, const FlowFields&) { return {}; }

}  // namespace

FlowProblemDescription tunnel_problem() {
  return {.name = "tunnel",
          .help = "a wind tunnel, 4 x 1, with a body of staircase cells: its drag and lift",
          .settings = {reynolds, shape, diameter},
          .make = make,
          .results = results};
}

}  // namespace cfdmark
