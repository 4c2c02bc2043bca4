#include "solvers/linear/sor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/linear/stationary.hpp"

namespace cfdmark {
namespace {

// Over-relaxation in millionths, for configs hold integers. 0: by the gap.
const Parameter sor_omega{"omega_millionths", {0}, 0, 0};
// 2 - omega as a share of what it is at the grid's optimal omega. This is what a tuner varies: unlike omega
// itself it means the same on every grid, so that what was best on one converges on the next.
const Parameter sor_omega_gap{"omega_gap_percent", {50, 70, 100, 140}, 100};

std::string sor_omega_constraint(const Config& c) {
  const int omega = c.at(sor_omega.name), gap = c.at(sor_omega_gap.name);
  if (omega >= 2000000) return sor_omega.name + ": SOR converges below 2000000; 0 is the optimal one";
  if (omega != 0 && gap != sor_omega_gap.fallback)
    return sor_omega.name + " says what omega is: leave out " + sor_omega_gap.name;
  return "";
}

double omega(const System& s, const Config& config) {
  if (const int given = config.at(sor_omega.name); given != 0) return given * 1e-6;
  const int percent = config.at(sor_omega_gap.name);
  const double omega = 2 - percent * 0.01 * (2 - optimal_omega(s.grid()));
  if (omega <= 0)
    throw std::invalid_argument(
        fmt::format("{}={} makes omega {:.3g} on this grid, and SOR converges above 0 only",
                    sor_omega_gap.name, percent, omega));
  return omega;
}

std::vector<SolverMethod> sor_methods(BackendKind kind) {
  std::vector<SolverMethod> methods =
      relaxation_methods<RedBlackSor>(kind, [](const System& s, const auto& method, const Config& config) {
        const CellArgs<RedBlackSor> args{s.precision, {.omega = omega(s, config)}, {s.a, s.u, s.b}};
        return std::make_unique<InPlaceRelaxation>(prepare(s, "sweep", method, args, config));
      });
  for (SolverMethod& method : methods) {
    method.space.parameters.push_back(sor_omega);
    method.space.parameters.push_back(sor_omega_gap);
    method.space.require(sor_omega_constraint);
  }
  return methods;
}

}  // namespace

double optimal_omega(const Grid& g) {
  int coarsest = std::min(g.nx, g.ny);
  if (g.is_3d()) coarsest = std::min(coarsest, g.nz);
  return 2 / (1 + std::sin(std::numbers::pi / (coarsest + 1)));
}

void set_omega(Config& config, double omega) {
  config.set(sor_omega.name, int(std::lround(omega * 1e6)));
  config.set(sor_omega_gap.name, sor_omega_gap.fallback);  // a tuned config may hold another
}

bool has_omega(const TuningSpace& space) {
  return std::any_of(space.parameters.begin(), space.parameters.end(),
                     [](const Parameter& p) { return p.name == sor_omega.name; });
}

SolverDescription sor_solver() { return {"sor", sor_methods}; }

}  // namespace cfdmark
