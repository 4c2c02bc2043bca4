// The projection method on flows with known solutions.
#include <cmath>
#include <random>

#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;

namespace {

// Returns a flow with random velocities.
std::shared_ptr<const FlowProblem> noise(const std::string& name, const Grid& grid, const Config& settings) {
  FlowProblem problem = *posed_flow(name, grid, settings);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-0.5, 0.5);
  const bool periodic = problem.periodic_x;
  HostField &x = problem.start.mass_x, &y = problem.start.mass_y;
  for (int j = 0; j < grid.ny; ++j)
    for (int i = periodic ? 0 : 1; i < grid.nx; ++i) x.set(i, j, 0, any(random) * problem.cell.dy);
  for (int j = periodic ? 0 : 1; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) y.set(i, j, 0, any(random) * problem.cell.dx);
  if (periodic) {
    for (int j = 0; j < grid.ny; ++j) x.set(grid.nx, j, 0, x.get(0, j));
    for (int i = 0; i < grid.nx; ++i) y.set(i, grid.ny, 0, y.get(i, 0));
  }
  return std::make_shared<const FlowProblem>(std::move(problem));
}

// Returns divergence-free noise between periodic sides: a negligible time step projects it.
std::shared_ptr<const FlowProblem> projected_noise(const Grid& grid, double reynolds) {
  FlowProblem problem = *noise("taylor_green", grid, {{"reynolds", reynolds}});
  const auto start = std::make_shared<const FlowProblem>(problem);
  problem.start = solved(start, projected(with(swept, {{"time_step", 1e-13}}), 1e-30, 1)).flow;
  problem.start.time = 0;
  return std::make_shared<const FlowProblem>(std::move(problem));
}

SolvedFlow vortices(int n, double time_step, double end_time) {
  return solve_flow("taylor_green", {n, n}, {},
                    projected(with(swept, {{"time_step", time_step}, {"end_time", end_time}})));
}

}  // namespace

// With a negligible time step the velocities are only projected.
TEST_CASE("a projection leaves no divergence, and a second projection changes nothing",
          "[flow][projection]") {
  for (const char* solver : {"multigrid", "cg", "bicgstab", "sor", "jacobi"}) {
    INFO(solver);
    const auto problem = noise("cavity", {24, 18}, {});
    const bool is_slow = std::string_view(solver) == "jacobi";
    const Config config{
        {"pressure_solver", solver}, {"pressure_sweeps", is_slow ? 10000 : 500}, {"time_step", 1e-13}};
    const SolvedFlow once = solved(problem, projected(config, 1e-30, 1));
    const SolvedFlow twice = solved(problem, projected(config, 1e-30, 2));
    CHECK(once.found.mass < 1e-11);
    CHECK(largest_difference(once.flow.mass_x, problem->start.mass_x) > 0.1 * problem->cell.dy);
    CHECK(largest_difference(once.flow.mass_x, twice.flow.mass_x) < 1e-11);
    CHECK(largest_difference(once.flow.mass_y, twice.flow.mass_y) < 1e-11);
  }
}

TEST_CASE("the divergence after a pressure solve to a tolerance is of the size of the tolerance",
          "[flow][projection]") {
  const auto problem = noise("cavity", {32, 32}, {});
  const double at_first = solved(problem, projected({}, 1e-30, 0)).found.mass;
  for (const double tolerance : {1e-2, 1e-6}) {
    INFO(tolerance);
    const Config config{{"pressure_tolerance", tolerance}, {"pressure_sweeps", 50}, {"time_step", 1e-9}};
    const double left = solved(problem, projected(config, 1e-30, 1)).found.mass;
    CHECK(left < 4 * tolerance * at_first);     // includes the residual of the cell with p = 0
    CHECK(left > 1e-3 * tolerance * at_first);  // it stopped at the tolerance
  }
}

// Central fluxes conserve energy; Adams-Bashforth steps change it with third order.
TEST_CASE("without viscosity the kinetic energy changes only with the time steps", "[flow][projection]") {
  const auto problem = projected_noise({12, 12}, 1e12);
  const auto drift = [&](double time_step) {
    const SolvedFlow s =
        solved(problem, projected(with(swept, {{"time_step", time_step}, {"end_time", 0.08}})));
    const auto energy = [&](const auto& look) { return SolvedFlow::named(look.second, "kinetic_energy"); };
    const double before = energy(s.outcome.result_history.front()),
                 after = energy(s.outcome.result_history.back());
    CHECK(before > 0.001);
    return std::abs(after / before - 1);
  };
  const double long_step = drift(0.008), short_step = drift(0.004);
  CHECK(long_step < 1e-3);
  CHECK(std::log2(long_step / short_step) > 1.8);
  CHECK(drift(0.0005) < 1e-6);
}

TEST_CASE("the Taylor-Green vortices decay with second order in space by the projection method",
          "[flow][projection]") {
  const double coarse = vortices(16, 0.002, 0.1).result("error_u_l2"),
               fine = vortices(32, 0.002, 0.1).result("error_u_l2");
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.05));
  CHECK(fine < 2e-3);
}

TEST_CASE("the projection method is second order in time", "[flow][projection]") {
  const auto problem = projected_noise({8, 8}, 20);
  const auto flow = [&](double time_step) {
    return solved(problem, projected(with(swept, {{"time_step", time_step}, {"end_time", 0.08}}))).flow;
  };
  const FlowFields exact_in_time = flow(0.0005);
  const double long_step = largest_difference(flow(0.016).u, exact_in_time.u),
               short_step = largest_difference(flow(0.008).u, exact_in_time.u);
  CHECK(long_step > 1e-6);
  CHECK(std::log2(long_step / short_step) == Approx(2).margin(0.3));
}

TEST_CASE("the cavity converges to known extrema with central and with upwind fluxes", "[flow][projection]") {
  const auto cavity = [](const char* convection) {
    return solve_flow("cavity", {32, 32}, {},
                      projected({{"convection", convection}, {"check_interval", 50}}, 1e-6));
  };
  const SolvedFlow central = cavity("central"), upwind = cavity("upwind");
  CHECK(central.outcome.converged);
  CHECK(central.result("u_min") == Approx(-0.2090).margin(1e-4));
  CHECK(central.result("v_max") == Approx(0.1754).margin(1e-4));
  CHECK(central.result("v_min") == Approx(-0.2504).margin(1e-4));
  CHECK(upwind.outcome.converged);
  CHECK(upwind.result("u_min") == Approx(-0.2150).margin(6e-4));
  CHECK(upwind.result("v_max") == Approx(0.1786).margin(6e-4));
  CHECK(upwind.result("v_min") == Approx(-0.2522).margin(6e-4));
}

TEST_CASE("Kovasznay's flow is second order by the projection method", "[flow][projection]") {
  const auto flow = [](int n) {
    return solve_flow("kovasznay", {n, n}, {}, projected({{"check_interval", 50}}, 1e-6));
  };
  const SolvedFlow coarse = flow(16), fine = flow(32);
  CHECK(fine.outcome.converged);
  for (const char* error : {"error_u_l2", "error_v_l2"})
    CHECK(std::log2(coarse.result(error) / fine.result(error)) == Approx(2).margin(0.25));
  CHECK(fine.result("error_u_l2") < 3e-3);
}

TEST_CASE("the plain and the fused method give the same bits on all host backends", "[flow][projection]") {
  for (const char* convection : {"central", "upwind"})
    for (Precision p : all_precisions) {
      const auto some = [&](BackendKind kind, const char* method) {
        FlowOptions options = projected({{"convection", convection}}, 1e-30, 7);
        options.backend = kind, options.method = method, options.precision = p;
        return solve_flow("cavity", {13, 10}, {}, options).flow;
      };
      // In mixed precision `plain` stores rates in 32 bits between its kernels.
      const FlowFields plain = some(BackendKind::serial, "plain"),
                       fused = p == Precision::mixed ? some(BackendKind::serial, "fused") : plain;
      for (BackendKind kind : {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos})
        for (const char* method : {"plain", "fused"}) {
          if (!unavailable_reason(kind).empty()) continue;
          INFO(convection << " " << to_string(p) << " " << to_string(kind) << " " << method);
          const FlowFields other = some(kind, method);
          const FlowFields& same = std::string_view(method) == "fused" ? fused : plain;
          CHECK(largest_difference(other.mass_x, same.mass_x) == 0);
          CHECK(largest_difference(other.mass_y, same.mass_y) == 0);
          CHECK(largest_difference(other.p, same.p) == 0);
        }
    }
}

TEST_CASE("an unstable time step is an error with the limit and its reason", "[flow][projection]") {
  const auto step = [](const char* convection, double length, double reynolds) {
    solve_flow("cavity", {16, 16}, {{"reynolds", reynolds}},
               projected({{"convection", convection}, {"time_step", length}}, 1e-30, 40));
  };
  CHECK_THROWS_WITH(step("central", 0.5, 1),
                    ContainsSubstring("0.000488, limited by diffusion") && ContainsSubstring("time_step"));
  CHECK_THROWS_WITH(step("central", 0.5, 1000), ContainsSubstring("by convection, a Courant number of"));
  CHECK_THROWS_WITH(step("upwind", 0.5, 1000), ContainsSubstring("4 sum |u| / dx"));
  CHECK_NOTHROW(step("central", 0.00048, 1));
  // The flow is faster than the expected speed at the start.
  auto fast = std::make_shared<FlowProblem>(*noise("cavity", {16, 16}, {{"reynolds", 1000.0}}));
  for (int j = 0; j < 16; ++j) fast->start.mass_x.set(8, j, 0, 40 * fast->cell.dy * (j % 2 == 0 ? 1 : -1));
  CHECK_THROWS_WITH(solved(fast, projected({}, 1e-30, 40)),
                    ContainsSubstring("is unstable") && ContainsSubstring("set time_steps=stable"));
}

// The lid starts impulsively; the flow behind it is slower than the expected speed in every direction.
TEST_CASE("adaptive steps grow to the stability limit, end at the end time, and give the same flow",
          "[flow][projection]") {
  const auto cavity = [](const char* time_steps, const char* convection) {
    return solve_flow("cavity", {16, 16}, {{"reynolds", 1000.0}},
                      projected({{"time_steps", time_steps},
                                 {"convection", convection},
                                 {"pressure_sweeps", 4},
                                 {"end_time", 3.0}}));
  };
  for (const char* convection : {"central", "upwind"}) {
    INFO(convection);
    const SolvedFlow fixed = cavity("fixed", convection), stable = cavity("stable", convection);
    CHECK(fixed.outcome.converged);
    CHECK(stable.outcome.converged);
    CHECK(stable.flow.time == Approx(3).epsilon(1e-12));
    CHECK(fixed.flow.time == Approx(3).epsilon(1e-12));
    CHECK(stable.outcome.iterations < 0.8 * fixed.outcome.iterations);
    CHECK(stable.outcome.iterations > 0.3 * fixed.outcome.iterations);
    const double change = largest_difference(stable.flow.u, fixed.flow.u);
    CHECK(change < 2e-3);
    CHECK(change > 1e-9);  // the steps were different
  }
}

TEST_CASE("adaptive steps get shorter if the flow becomes faster", "[flow][projection]") {
  auto fast = std::make_shared<FlowProblem>(*noise("cavity", {16, 16}, {{"reynolds", 1000.0}}));
  for (int j = 0; j < 16; ++j) fast->start.mass_x.set(8, j, 0, 40 * fast->cell.dy * (j % 2 == 0 ? 1 : -1));
  const SolvedFlow s =
      solved(fast, projected({{"time_steps", "stable"}, {"convection", "upwind"}}, 1e-30, 100));
  CHECK(s.outcome.iterations == 100);
  CHECK(std::isfinite(s.outcome.relative_residual));
  const double at_first = 0.8 / (4 * 2 * 16 + 4e-3 * 2 * 256);  // for a speed of 1
  CHECK(s.flow.time < 100 * at_first);
  CHECK_THROWS_WITH(solved(fast, projected({{"time_steps", "stable"}, {"time_step", 0.01}})),
                    ContainsSubstring("time_step needs time_steps=fixed"));
}

// Steps that differ from their predecessors keep second order, since the factors of both rates depend on
// them.
TEST_CASE("steps of varying lengths are second order in time", "[flow][projection]") {
  const auto problem = projected_noise({8, 8}, 20);
  const auto flow = [&](double share) {
    return solved(
        problem,
        projected(with(
            swept,
            {{"time_steps", "stable"}, {"stable_share", share}, {"check_interval", 1}, {"end_time", 0.2}})));
  };
  const SolvedFlow fine = flow(0.02), coarse = flow(0.64), medium = flow(0.32);
  const double long_steps = largest_difference(coarse.flow.u, fine.flow.u),
               short_steps = largest_difference(medium.flow.u, fine.flow.u);
  CHECK(coarse.outcome.iterations >= 8);
  CHECK(long_steps > 1e-6);
  CHECK(std::log2(long_steps / short_steps) == Approx(2).margin(0.4));
}

TEST_CASE("adaptive steps give the same heat flux", "[flow][projection]") {
  const auto nusselt = [](const char* time_steps) {
    return solve_flow("natural_convection", {12, 12}, {}, projected({{"time_steps", time_steps}}, 1e-7))
        .result("nusselt_hot");
  };
  CHECK(nusselt("stable") == Approx(nusselt("fixed")).epsilon(1e-5));
}

TEST_CASE("the projection method rejects solvers that do not support periodic sides", "[flow][projection]") {
  CHECK_THROWS_WITH(solve_flow("taylor_green", {16, 16}, {},
                               projected({{"pressure_solver", "sor"}, {"pressure_tolerance", 0.1}})),
                    ContainsSubstring("pressure_solver=sor") && ContainsSubstring("pressure_tolerance"));
  CHECK_THROWS_WITH(solve_flow("taylor_green", {16, 16}, {},
                               projected({{"pressure_solver", "cg"}, {"pressure_method", "fused"}})),
                    ContainsSubstring("fused: ") && ContainsSubstring("cg/textbook"));
  CHECK_THROWS_WITH(solve_flow("cavity", {16, 16}, {},
                               projected({{"pressure_solver", "jacobi"}, {"pressure_tolerance", 0.1}})),
                    ContainsSubstring("pressure_solver=jacobi") && ContainsSubstring("pressure_tolerance"));
}

TEST_CASE("with periodic sides Jacobi passes project as red-black ones do", "[flow][projection]") {
  const auto vortices = [](const char* solver, int sweeps) {
    return solve_flow("taylor_green", {8, 8}, {},
                      projected({{"pressure_solver", solver}, {"pressure_sweeps", sweeps}}, 1e-30, 5))
        .flow;
  };
  CHECK(largest_difference(vortices("jacobi", 1500).mass_x, vortices("sor", 300).mass_x) < 1e-12);
}

TEST_CASE("a force drives a periodic channel to its parabola by the projection method",
          "[flow][projection]") {
  const SolvedFlow s = solve_flow("channel", {8, 16}, {{"ends", "periodic"}, {"reynolds", 10.0}},
                                  projected({{"pressure_solver", "sor"}, {"pressure_sweeps", 5}}, 1e-10));
  CHECK(s.outcome.converged);
  // The discrete profile is G h^2 / (8 mu) above the parabola: 12 mu h^2 / (8 mu).
  CHECK(s.result("error_u_max") == Approx(1.5 / 256).epsilon(1e-4));
}

TEST_CASE("without buoyancy conduction is exact", "[flow][projection]") {
  const SolvedFlow s =
      solve_flow("natural_convection", {12, 8}, {{"rayleigh", 0.0}}, projected({}, 1e-30, 40));
  CHECK(s.result("nusselt_hot") == Approx(1).epsilon(1e-12));
  CHECK(s.result("nusselt_cold") == Approx(1).epsilon(1e-12));
  CHECK(s.result("v_max") < 1e-12);
}

// De Vahl Davis: 2.238 through the hot wall.
TEST_CASE("natural convection has the known heat flux, equal through both walls", "[flow][projection]") {
  const auto heat = [](int n) {
    return solve_flow("natural_convection", {n, n}, {}, projected({{"check_interval", 50}}, 1e-6));
  };
  const SolvedFlow coarse = heat(16), fine = heat(32);
  CHECK(coarse.outcome.converged);
  CHECK(fine.outcome.converged);
  CHECK(coarse.result("nusselt_hot") == Approx(2.336).margin(0.003));
  CHECK(fine.result("nusselt_hot") == Approx(2.268).margin(0.003));
  CHECK(fine.result("nusselt_cold") == Approx(fine.result("nusselt_hot")).epsilon(1e-3));
}

TEST_CASE("natural convection is the same by both methods and for every check interval",
          "[flow][projection]") {
  const auto some = [](const char* method, int interval) {
    FlowOptions options = projected({{"check_interval", interval}}, 1e-30, 9);
    options.method = method;
    return solve_flow("natural_convection", {13, 10}, {}, options).flow;
  };
  const FlowFields plain = some("plain", 20);
  for (const FlowFields& other : {some("fused", 20), some("plain", 1), some("fused", 3)}) {
    CHECK(largest_difference(other.temperature, plain.temperature) == 0);
    CHECK(largest_difference(other.mass_y, plain.mass_y) == 0);
  }
  CHECK_THROWS_WITH(solve_flow("natural_convection", {16, 16}), ContainsSubstring("--solver projection"));
}
