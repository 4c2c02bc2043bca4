// A channel of length 4 and height 1 with a developed flow from west to east: between walls at rest
// (Poiseuille) or below a moving wall (Couette). With ends=periodic a force drives the Poiseuille flow.
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

const Setting flow_setting =
    choice_setting("flow", {"poiseuille", "couette"}, "poiseuille",
                   "poiseuille: walls at rest, mean speed 1; couette: a wall of speed 1");
const Setting reynolds = reynolds_setting(100);  // with the channel's height and that speed

const Setting ends = choice_setting("ends", {"outlet", "periodic"}, "outlet",
                                    "an inflow and an outlet, or periodic ends with a driving force");

double poiseuille(double, double y) { return 6 * y * (1 - y); }
double couette(double, double y) { return y; }
double none(double, double) { return 0; }

auto profile(const Config& settings) {
  return settings.is(flow_setting.name, "couette") ? couette : poiseuille;
}

std::string unsuitable(const Config& settings, const Grid& g) {
  if (settings.is(ends.name, "outlet")) return "";
  return gives_pressure(settings) ? odd_around('x', g.nx)
                                  : "ends=periodic has no outlet: leave out the setting outlet";
}

FlowProblem make(const Config& settings, const Grid& g) {
  FlowBox box{.width = 4, .viscosity = 1 / settings.real(reynolds.name)};
  if (settings.is(ends.name, "periodic")) {
    box.periodic_x = true;
    if (settings.is(flow_setting.name, "couette")) box.north.u = [](double, double) { return 1.0; };
    FlowProblem problem = flow_in_box(g, box);
    // The force of a parabolic profile with mean 1.
    if (settings.is(flow_setting.name, "poiseuille")) problem.driving_force = 12 * box.viscosity;
    return problem;
  }
  box.west.u = profile(settings);
  box.east.kind = FaceKind::outlet;
  box.outlet_gives_pressure = gives_pressure(settings);
  box.north.u = [=](double x, double) { return profile(settings)(x, 1); };
  return flow_in_box(g, box);
}

std::vector<NamedValue> results(const FlowProblem& problem, const FlowFields& flow) {
  return velocity_errors(problem, flow, profile(problem.settings), none);
}

}  // namespace

FlowProblemDescription channel_problem() {
  return {.name = "channel",
          .help = "developed Poiseuille or Couette flow through a channel, 4 x 1",
          .settings = {reynolds, flow_setting, ends, outlet_setting()},
          .make = make,
          .results = results,
          .unsuitable = unsuitable};
}

}  // namespace cfdmark
