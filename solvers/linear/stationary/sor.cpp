#include "solvers/linear/stationary/sor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kernels/red_black_sor/red_black_methods.hpp"
#include "solvers/linear/stationary/red_black_sweep.hpp"
#include "solvers/linear/stationary/stationary.hpp"
#include "solvers/linear/system/overlapped_sweep.hpp"

namespace cfdmark {
namespace {

const Setting sor_omega{
    "omega",    {},
    "optimal",  "over-relaxation factor; optimal: 2 - omega_gap (2 - the grid's optimal omega)",
    "",         real_between(0, 2),
    {"optimal"}};
// The setting that a tuner varies. Unlike omega it means the same on every grid, so a value that is best on
// one grid converges on another.
const Setting sor_omega_gap{"omega_gap", {0.5, 0.7, 1.0, 1.4},
                            1.0,         "2 - omega, relative to its value at the grid's optimal omega",
                            "",          real_above(0)};

std::string sor_omega_constraint(const Config& c) {
  if (c.at(sor_omega.name) == sor_omega.default_value ||
      c.at(sor_omega_gap.name) == sor_omega_gap.default_value)
    return "";
  return fmt::format("{}={} already sets omega: leave out {}", sor_omega.name,
                     to_string(c.at(sor_omega.name)), sor_omega_gap.name);
}

double omega(const System& s, const Config& config) {
  if (!config.is(sor_omega.name, "optimal")) return config.real(sor_omega.name);
  const double gap = config.real(sor_omega_gap.name),
               omega = 2 - gap * (2 - optimal_omega(s.domain(), s.stencil()));
  if (omega <= 0)
    throw std::invalid_argument(
        fmt::format("{}={} gives omega {:.3g} on this grid, but SOR needs a value above 0: make it smaller",
                    sor_omega_gap.name, gap, omega));
  return omega;
}

using SorMethod = Method<CellArgs<RedBlackSor>>;

// A method with several passes per run covers one graph, or the interval between two residual checks.
std::unique_ptr<Relaxation> sor_relaxation(const System& s, const SorMethod& method, const Config& config,
                                           double* square) {
  const CellArgs<RedBlackSor> args{.precision = s.precision,
                                   .kernel = {.omega = omega(s, config)},
                                   .fields = {.a = s.stencil(), .u = s.u, .b = s.b}};
  if (!method.steps)
    return std::make_unique<InPlaceRelaxation>(s.ranks ? red_black_sweep(s, "sweep", method, args, config)
                                                       : prepare(s, "sweep", method, args, config));
  const BackendKind kind = s.backend->kind();
  auto [several, leaves_square] =
      several_sweeps(s, method, red_black_with_residual(kind), args, config, square);
  const auto plain = CellKernel<RedBlackSor>::methods(kind).front();
  return std::make_unique<SweepsAtOnce>(std::move(several), sweeps_at_once(config), leaves_square,
                                        prepare(s, "sweep", plain, args, {}));
}

std::vector<SolverMethod> sor_methods(BackendKind kind) {
  std::vector<SolverMethod> methods =
      relaxation_methods<RedBlackSor>(kind, sor_relaxation, red_black_with_residual(kind));
  for (SolverMethod& method : methods) {
    method.space.settings.push_back(sor_omega);
    method.space.settings.push_back(sor_omega_gap);
    method.space.require(sor_omega_constraint);
    method.does_ranks = method.name == "plain";
    if (method.does_ranks && kind == BackendKind::cuda) add_overlap(method, {"inner_first"});
  }
  return methods;
}

}  // namespace

// Young's formula: if a Jacobi pass multiplies the smoothest error by 1 - lost, omega is 2 / (1 + sqrt(1 - (1
// - lost)^2)).
double optimal_omega(const Grid& g, const Operator& weights) {
  const double angle = std::numbers::pi / (g.nx + 1);
  const bool is_square = g.nx == g.ny && weights.wx == weights.wy;
  const bool is_cube = is_square && g.nx == g.nz && weights.wx == weights.wz;
  if (g.is_3d() ? is_cube : is_square) return 2 / (1 + std::sin(angle));
  double lost = 0, sum = 0;
  const auto add = [&](double weight, int n) {
    const double sine = std::sin(std::numbers::pi / 2 / (n + 1));
    lost += weight * 2 * sine * sine, sum += weight;
  };
  add(weights.wx, g.nx), add(weights.wy, g.ny);
  if (g.is_3d()) add(weights.wz, g.nz);
  lost /= sum;
  return 2 / (1 + std::sqrt(lost * (2 - lost)));
}

SolverDescription sor_solver() { return {"sor", sor_methods}; }

}  // namespace cfdmark
