// The projection method compared with exact pressures and published flows, with its order of convergence.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;
using std::numbers::pi;

namespace {

// Returns the RMS difference of the pressure from `exact`, up to a constant.
double pressure_error(const FlowProblem& problem, const HostField& p, double (*exact)(double, double)) {
  double sum = 0, squares = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    const Centre at(problem.cell, i, j);
    const double difference = p.get(i, j) - exact(at.x, at.y);
    sum += difference, squares += difference * difference;
  });
  const double cells = double(problem.grid.cells()), mean = sum / cells;
  return std::sqrt(squares / cells - mean * mean);
}

double cosines(double x, double y) { return std::cos(pi * x) * std::cos(pi * y); }

// Returns a fluid whose velocity is the gradient of `cosines`. A projection removes it; the pressure in a
// step of dt is then that function divided by dt.
SolvedFlow projected_gradient(int n, const char* solver, int sweeps, double time_step) {
  FlowProblem problem = *posed_flow("cavity", {n, n});
  const double h = 1.0 / n;
  for (int j = 0; j < n; ++j)
    for (int i = 1; i < n; ++i)
      problem.start.mass_x.set(i, j, 0, -h * pi * std::sin(pi * i * h) * std::cos(pi * (j + 0.5) * h));
  for (int j = 1; j < n; ++j)
    for (int i = 0; i < n; ++i)
      problem.start.mass_y.set(i, j, 0, -h * pi * std::cos(pi * (i + 0.5) * h) * std::sin(pi * j * h));
  return solved(
      std::make_shared<const FlowProblem>(problem),
      projected({{"pressure_solver", solver}, {"pressure_sweeps", sweeps}, {"time_step", time_step}}, 1e-30,
                1));
}

SolvedFlow at_rest(const char* problem, int n, const Config& settings = {}) {
  return solve_flow(problem, {n, n}, settings, projected({{"check_interval", 50}}, 1e-7));
}

}  // namespace

// cos(pi x) cos(pi y) has zero gradient at the walls.
TEST_CASE("the pressure of a known divergence is second order, and all solvers give the same answer",
          "[flow][projection]") {
  constexpr double time_step = 1e-13;
  const auto pressure = [&](const char* solver, int n, int sweeps) {
    FlowFields flow = projected_gradient(n, solver, sweeps, time_step).flow;
    for_each_cell(flow.p.grid(), false,
                  [&](int i, int j, int k) { flow.p.set(i, j, k, time_step * flow.p.get(i, j, k)); });
    return flow.p;
  };
  const auto error = [&](const HostField& p) {
    return pressure_error(*posed_flow("cavity", {p.grid().nx, p.grid().ny}), p, cosines);
  };
  const double coarse = error(pressure("multigrid", 16, 50)), fine = error(pressure("multigrid", 32, 50));
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.05));
  CHECK(fine < 1e-3);
  const HostField one = pressure("multigrid", 12, 60);
  for (const auto& [solver, sweeps] :
       {std::pair{"cg", 200}, {"pcg", 200}, {"bicgstab", 200}, {"sor", 600}, {"jacobi", 6000}}) {
    INFO(solver);
    const HostField other = pressure(solver, 12, sweeps);
    const double constant = other.get(0, 0) - one.get(0, 0);
    double largest = 0;
    for_each_cell(one.grid(), false, [&](int i, int j, int k) {
      largest = std::max(largest, std::abs(other.get(i, j, k) - one.get(i, j, k) - constant));
    });
    CHECK(largest < 1e-9);
  }
}

TEST_CASE("the pressure of Kovasznay's flow is second order", "[flow][projection]") {
  const auto error = [](int n) {
    const SolvedFlow s = at_rest("kovasznay", n);
    CHECK(s.outcome.converged);
    return pressure_error(*posed_flow("kovasznay", {n, n}), s.flow.p, [](double x, double) {
      return 0.5 * (1 - std::exp(2 * (20 - std::sqrt(400 + 4 * pi * pi)) * (x - 0.5)));
    });
  };
  const double coarse = error(16), fine = error(32);
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.4));
  CHECK(fine < 5e-3);
}

TEST_CASE("the cavity at a Reynolds number of 100 converges to published extrema with second order",
          "[flow][projection]") {
  const SolvedFlow coarse = at_rest("cavity", 16), fine = at_rest("cavity", 32);
  for (const PublishedValue& known : published_values(*posed_flow("cavity", {8, 8}), 0)) {
    INFO(known.name);
    const double before = coarse.result(known.name) - known.value,
                 after = fine.result(known.name) - known.value;
    const double of = known.value == 0 ? 1 : known.value;  // a difference of 0 is in lid speeds
    CHECK(std::abs(after / of) < 0.03);
    if (known.source.starts_with("Marchi")) CHECK(std::log2(before / after) == Approx(2).margin(0.5));
  }
}

// An independent program with this scheme gives 1.1263 and 1.1199, and 2.336 and 2.268, on 16 x 16 and 32 x
// 32.
TEST_CASE("natural convection extrapolates to de Vahl Davis's Nusselt numbers", "[flow][projection]") {
  for (const auto& [rayleigh, on_16, on_32, known] :
       {std::array{1e3, 1.1263, 1.1199, 1.118}, {1e4, 2.336, 2.268, 2.243}}) {
    INFO(rayleigh);
    const Config settings{{"rayleigh", rayleigh}};
    const SolvedFlow coarse = at_rest("natural_convection", 16, settings),
                     fine = at_rest("natural_convection", 32, settings);
    CHECK(coarse.result("nusselt_hot") == Approx(on_16).epsilon(1e-3));
    CHECK(fine.result("nusselt_hot") == Approx(on_32).epsilon(1e-3));
    const double extrapolated = (4 * fine.result("nusselt_mean") - coarse.result("nusselt_mean")) / 3;
    CHECK(extrapolated == Approx(known).epsilon(2e-3));
    for (const char* speed : {"u_max", "v_max"}) {
      const auto published = published_values(*posed_flow("natural_convection", {8, 8}, settings), 0);
      const auto of = std::find_if(published.begin(), published.end(),
                                   [&](const PublishedValue& v) { return v.name == speed; });
      CHECK((4 * fine.result(speed) - coarse.result(speed)) / 3 == Approx(of->value).epsilon(5e-3));
    }
  }
}

// In the steady state the same heat passes through every plane.
TEST_CASE("the mean Nusselt number of a steady convection equals that of its walls", "[flow][projection]") {
  const SolvedFlow s = at_rest("natural_convection", 12);
  CHECK(s.outcome.converged);
  CHECK(s.result("nusselt_mean") == Approx(s.result("nusselt_hot")).epsilon(1e-5));
}

// Without buoyancy only the temperature changes.
TEST_CASE("a flow at rest has not converged while its temperature changes", "[flow][projection]") {
  FlowProblem problem = *posed_flow("natural_convection", {12, 8}, {{"rayleigh", 0.0}});
  for_each_cell(problem.grid, false, [&](int i, int j, int) { problem.start.temperature.set(i, j, 0, 0.3); });
  const auto warm = std::make_shared<const FlowProblem>(problem);
  const SolvedFlow first = solved(warm, projected({}, 1e-6, 10)), last = solved(warm, projected({}, 1e-6));
  CHECK(first.residual("momentum") < 1e-12);
  CHECK(first.residual("heat") > 1e-3);
  CHECK(!first.outcome.converged);
  CHECK(last.outcome.converged);
  CHECK(last.residual("heat") < 1e-6);
  CHECK(last.result("nusselt_hot") == Approx(1).epsilon(1e-3));
}

TEST_CASE("a random field loses its divergence in one step, and then energy by viscosity alone",
          "[flow][projection]") {
  for (const Grid& grid : {Grid{16, 12}, Grid{8, 10, 6}}) {
    const auto field = [&](int seed, int steps, const Config& config) {
      const auto problem = std::make_shared<const FlowProblem>(
          flow_with("random_field", grid, {{"random_seed", seed}, {"reynolds", 1e4}}));
      return solved(problem, projected(config, 1e-30, steps));
    };
    const Config at_once{{"time_step", 1e-13}, {"pressure_sweeps", 60}};
    const SolvedFlow before = field(1, 0, at_once), once = field(1, 1, at_once), other = field(2, 1, at_once);
    CHECK(before.result("divergence_max") > 0.1);
    CHECK(once.result("divergence_max") < 1e-10);
    CHECK(largest_difference(once.flow.mass_x, other.flow.mass_x) > 1e-4);
    // A projection never adds energy.
    CHECK(once.result("mean_energy") < 0.8 * before.result("mean_energy"));
    const SolvedFlow later = field(1, 20, {{"pressure_sweeps", 10}});
    CHECK(later.result("divergence_max") < 1e-6);
    CHECK(later.result("mean_energy") < once.result("mean_energy"));
  }
}
