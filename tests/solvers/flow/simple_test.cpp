// SIMPLE on flows with known solutions.
#include <cmath>
#include <numbers>

#include "solvers/flow/table.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

TEST_CASE("Couette flow is exact with every convection scheme", "[flow]") {
  for (const char* scheme : {"central", "upwind", "hybrid"}) {
    INFO(scheme);
    const SolvedFlow s =
        solve_flow("channel", {16, 8}, {{"flow", "couette"}}, {.config = {{"convection", scheme}}});
    CHECK(s.outcome.converged);
    CHECK(s.result("error_u_max") < 1e-9);
    CHECK(s.result("error_v_max") < 1e-9);
  }
}

// The mean of two cells is exact too if the pressure is constant.
TEST_CASE("Couette flow is exact to rounding in every precision, by both methods, on all host backends",
          "[flow]") {
  for (const char* method : {"rhie_chow", "paper"})
    for (Precision p : all_precisions)
      for (BackendKind kind : {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos}) {
        if (!unavailable_reason(kind).empty()) continue;
        INFO(method << " " << to_string(p) << " " << to_string(kind));
        const bool exact = p == Precision::fp64;
        const SolvedFlow s =
            solve_flow("channel", {16, 8}, {{"flow", "couette"}},
                       {.method = method, .backend = kind, .precision = p, .tolerance = exact ? 1e-9 : 3e-6});
        CHECK(s.outcome.converged);
        CHECK(s.result("error_u_max") < (exact ? 1e-8 : 2e-5));
        CHECK(s.result("error_v_max") < (exact ? 1e-8 : 2e-5));
      }
}

// Walls are half a cell away, so the discrete profile is the parabola plus h^2 / 4: G / (2 mu) (y (1 - y) +
// h^2 / 4), with the G that gives the prescribed inflow.
TEST_CASE("Poiseuille flow develops to its exact discrete profile in every precision", "[flow]") {
  const Precision precision = GENERATE(Precision::fp64, Precision::fp32, Precision::mixed);
  INFO(to_string(precision));
  const bool exact = precision == Precision::fp64;
  const double within = exact ? 1e-6 : 1e-4;
  const int n = 8;
  const double h = 1.0 / n;
  const SolvedFlow s = solve_flow("channel", {64, n}, {{"reynolds", 20.0}},
                                  {.precision = precision, .tolerance = exact ? 1e-9 : 1e-5});
  CHECK(s.outcome.converged);
  double comes_in = 0, shape = 0;
  for (int j = 0; j < n; ++j) {
    const double y = (j + 0.5) * h;
    comes_in += 6 * y * (1 - y), shape += y * (1 - y) + h * h / 4;
  }
  for (int j = 0; j < n; ++j) {
    const double y = (j + 0.5) * h;
    CHECK(s.flow.u.get(60, j) == Approx(comes_in / shape * (y * (1 - y) + h * h / 4)).margin(within));
    CHECK(std::abs(s.flow.v.get(60, j)) < within);
  }
}

// Returns the mass lost between the west and the east side, relative to the inflow.
double mass_lost(const SolvedFlow& s) {
  const Grid& g = s.flow.u.grid();
  double in = 0, out = 0;
  for (int j = 0; j < g.ny; ++j) in += s.flow.mass_x.get(0, j), out += s.flow.mass_x.get(g.nx, j);
  return std::abs(in - out) / in;
}

TEST_CASE("an outlet that prescribes velocity balances the inflow and does not disturb the flow", "[flow]") {
  for (const char* solver : {"simple", "piso"}) {
    INFO(solver);
    const FlowOptions options{.solver = solver, .tolerance = 1e-8};
    const SolvedFlow by_velocity = solve_flow("channel", {64, 8},
                                              {{"reynolds", 20.0}, {"outlet", "velocity"}}, options),
                     by_pressure = solve_flow("channel", {64, 8}, {{"reynolds", 20.0}}, options);
    CHECK(by_velocity.outcome.converged);
    CHECK(mass_lost(by_velocity) < 1e-13);
    CHECK(by_velocity.result("checkerboard") < 1e-6);
    for (int j = 0; j < 8; ++j) {
      CHECK(by_velocity.flow.u.get(60, j) == Approx(by_pressure.flow.u.get(60, j)).margin(2e-6));
      CHECK(by_velocity.flow.u.get(63, j) == Approx(by_pressure.flow.u.get(60, j)).margin(2e-6));
    }
    // Only pressure differences are defined.
    CHECK(by_velocity.flow.p.get(20, 3) - by_velocity.flow.p.get(40, 3) ==
          Approx(by_pressure.flow.p.get(20, 3) - by_pressure.flow.p.get(40, 3)).epsilon(1e-5));
  }
}

TEST_CASE("the forces on a body depend little on what the outlet prescribes", "[flow][body]") {
  const auto drag = [](const char* outlet) {
    const SolvedFlow s = solve_flow("cylinder", {110, 20}, {{"outlet", outlet}}, {.tolerance = 1e-6});
    CHECK(s.outcome.converged);
    CHECK(mass_lost(s) < (std::string_view(outlet) == "velocity" ? 1e-14 : 1e-6));
    return s.result("drag_coefficient");
  };
  CHECK(drag("velocity") == Approx(drag("pressure")).epsilon(1e-4));
}

TEST_CASE("periodic Poiseuille flow is the parabola plus G h^2 / (8 mu) at every node", "[flow]") {
  const int n = 8;
  const SolvedFlow s =
      solve_flow("channel", {12, n}, {{"ends", "periodic"}}, {.tolerance = 1e-11, .max_iterations = 20000});
  for (int j = 0; j < n; ++j) {
    const double y = (j + 0.5) / n;
    for (int i = 0; i < 12; ++i)
      CHECK(s.flow.u.get(i, j) == Approx(6 * y * (1 - y) + 12.0 / (8 * n * n)).epsilon(1e-8));
  }
}

// Returns the largest velocity difference between half a channel under a symmetry plane and the whole
// channel.
double half_from_whole(const char* solver, int n) {
  const double re = 20;
  const FlowOptions options{
      .solver = solver, .tolerance = 1e-8, .max_iterations = 20000, .config = {{"pressure_sweeps", 40}}};
  const SolvedFlow whole = solve_flow("channel", {4 * n, 2 * n}, {{"reynolds", re}}, options);
  FlowBox box{.width = 4, .height = 0.5, .viscosity = 1 / re};
  box.west.u = [](double, double y) { return 6 * y * (1 - y); };
  box.east.kind = FaceKind::outlet;
  box.north.kind = FaceKind::slip;
  auto problem = std::make_shared<FlowProblem>(flow_in_box(Grid{4 * n, n}, box));
  problem->description = find_flow_problem("tunnel");  // it has no results of its own
  const SolvedFlow half = solve_flow_on(
      backend(BackendKind::serial), flow_method(solver, BackendKind::serial, "rhie_chow"), problem, options);
  CHECK(whole.outcome.converged);
  CHECK(half.outcome.converged);
  double most = 0;
  for_each_cell(problem->grid, false, [&](int i, int j, int) {
    for (const auto f : {&FlowFields::u, &FlowFields::v})
      most = std::max(most, std::abs((half.flow.*f).get(i, j) - (whole.flow.*f).get(i, j)));
  });
  for (int i = 0; i < 4 * n; ++i) CHECK(half.flow.mass_y.get(i, n) == 0);
  return most;
}

TEST_CASE("half a channel under a symmetry plane flows like the whole channel", "[flow][symmetry]") {
  for (const char* solver : {"simple", "piso"}) {
    INFO(solver);
    CHECK(half_from_whole(solver, 8) < 1e-5);
  }
}

TEST_CASE("the error of the manufactured cavity decreases with second order", "[flow][cavity]") {
  for (const double re : {10.0, 100.0}) {
    INFO(re);
    const auto solved = [&](int n) {
      SolvedFlow s = solve_flow("manufactured_cavity", {n, n}, {{"reynolds", re}}, {.tolerance = 1e-8});
      CHECK(s.outcome.converged);
      return s;
    };
    const SolvedFlow coarse = solved(16), fine = solved(32);
    for (const char* name : {"error_u_l2", "error_v_l2"}) {
      INFO(name << " " << coarse.result(name) << " " << fine.result(name));
      CHECK(std::log2(coarse.result(name) / fine.result(name)) > 1.8);
      CHECK(std::log2(coarse.result(name) / fine.result(name)) < 2.4);
    }
    CHECK(std::log2(coarse.result("error_p_l2") / fine.result("error_p_l2")) > 1.5);
  }
  CHECK_THROWS_WITH(
      solve_flow("manufactured_cavity", {8, 8}, {}, {.solver = "projection", .method = "fused"}),
      ContainsSubstring("--solver simple or piso"));
}

// Long before convergence each iteration leaves only the residual of its inner solve in every cell.
TEST_CASE("after an iteration every cell conserves mass to the tolerance of the pressure", "[flow][mass]") {
  for (const double tolerance : {1e-1, 1e-4, 1e-10}) {
    INFO(tolerance);
    const auto problem = posed_flow("tunnel", {80, 20}, {{"diameter", 0.4}});
    const SolvedFlow s = solve_flow_on(
        backend(BackendKind::serial), flow_method("simple", BackendKind::serial, "rhie_chow"), problem,
        {.tolerance = 1e-30,
         .max_iterations = 20,
         .config = {
             {"pressure_solver", "pcg"}, {"pressure_sweeps", 1000}, {"pressure_tolerance", tolerance}}});
    const HostField &x = s.flow.mass_x, &y = s.flow.mass_y;
    double largest = 0;
    for_each_cell(problem->grid, false, [&](int i, int j, int) {
      const double lost = x.get(i, j) - x.get(i + 1, j) + y.get(i, j) - y.get(i, j + 1);
      largest = std::max(largest, std::abs(lost));
    });
    // The reported residual bounds the sum over all cells: sqrt(cells) times the norm.
    const double norm_before = s.residual("mass") * problem->mass_scale / std::sqrt(80 * 20.0);
    CHECK(largest <= tolerance * norm_before + 1e-16);
    // The remaining residual is not accidental: less would be an exact solve. Below that it is rounding.
    if (tolerance > 1e-10) CHECK(largest > 1e-11 * norm_before);
  }
}

TEST_CASE("the error of Kovasznay's flow decreases with second order", "[flow]") {
  const SolvedFlow coarse = solve_flow("kovasznay", {16, 16}), fine = solve_flow("kovasznay", {32, 32});
  for (const char* error : {"error_u_l2", "error_v_l2"}) {
    INFO(error << " " << coarse.result(error) << " " << fine.result(error));
    CHECK(std::log2(coarse.result(error) / fine.result(error)) == Approx(2.05).margin(0.15));
  }
}

TEST_CASE("Kovasznay's flow converges where convection through a boundary exceeds diffusion", "[flow]") {
  CHECK(solve_flow("kovasznay", {32, 32}, {{"reynolds", 100.0}}).outcome.converged);
  CHECK(solve_flow("kovasznay", {16, 16}, {{"reynolds", 200.0}}, {.config = {{"convection", "upwind"}}})
            .outcome.converged);
}

// Marchi, Suero and Araki 2009, extrapolated from 1024 x 1024.
TEST_CASE("the cavity at Re 100 extrapolates to published values", "[flow]") {
  const auto extrapolated = [coarse = solve_flow("cavity", {32, 32}),
                             fine = solve_flow("cavity", {64, 64})](const char* name) {
    return fine.result(name) + (fine.result(name) - coarse.result(name)) / 3;
  };
  CHECK(extrapolated("u_min") == Approx(-0.2140417).epsilon(1e-3));
  CHECK(extrapolated("v_max") == Approx(0.1795728).epsilon(1e-3));
  CHECK(extrapolated("v_min") == Approx(-0.2538030).epsilon(1e-3));
}

// Botella and Peyret 1998, spectral: 34 points. The target is 0.5 % of the lid's speed on 256x256
// (sweeps/flow_reference.yaml).
TEST_CASE("the cavity at Re 1000 converges to spectral profiles at all their points with second order",
          "[flow]") {
  const auto difference = [](int n) {
    const SolvedFlow s = solve_flow("cavity", {n, n}, {{"reynolds", 1000.0}}, {.tolerance = 1e-5});
    CHECK(s.outcome.converged);
    return s.result("profile_difference");
  };
  const double coarse = difference(32), fine = difference(64);
  INFO(coarse << " " << fine);
  CHECK(fine < 0.035);
  CHECK(std::log2(coarse / fine) > 1.4);
}

// With fewer momentum passes than the default of five the solution oscillates for ever.
TEST_CASE("the cavity at Re 3200 converges with the default settings on a grid that is prone to oscillation",
          "[flow]") {
  const auto after = [](const Config& config) {
    return solve_flow("cavity", {80, 80}, {{"reynolds", 3200.0}},
                      {.tolerance = 1e-5, .max_iterations = 6000, .config = config});
  };
  const SolvedFlow usual = after({});
  CHECK(usual.outcome.converged);
  CHECK(usual.result("profile_difference") < 0.055);
  CHECK_FALSE(after({{"momentum_sweeps", 2}}).outcome.converged);
}

TEST_CASE("the answer depends neither on relaxation nor on the inner passes", "[flow]") {
  const auto cavity = [](const Config& config) {
    return solve_flow("cavity", {16, 16}, {}, {.tolerance = 1e-10, .config = config}).flow;
  };
  const FlowFields usual = cavity({});
  for (const Config& config : {Config{{"velocity_relaxation", 0.3}}, Config{{"velocity_relaxation", 0.8}},
                               Config{{"pressure_sweeps", 10}, {"momentum_sweeps", 5}}}) {
    INFO(config.text());
    const FlowFields other = cavity(config);
    CHECK(largest_difference(usual.u, other.u) < 1e-8);
    CHECK(largest_difference(usual.v, other.v) < 1e-8);
  }
}

// PISO does few steps here, each solved deeply, so that only rounding differs.
TEST_CASE("with periodic sides linear solvers correct the pressure as many relaxation passes do", "[flow]") {
  const auto flow = [](const char* name, const char* solver, int sweeps, double tolerance) {
    const bool in_time = std::string_view(name) == "taylor_green";
    return solve_flow(
        name, {16, 16}, in_time ? Config{} : Config{{"ends", "periodic"}},
        {.solver = in_time ? "piso" : "simple",
         .tolerance = 1e-30,
         .max_iterations = in_time ? 5 : 40,
         .config = {
             {"pressure_solver", solver}, {"pressure_sweeps", sweeps}, {"pressure_tolerance", tolerance}}});
  };
  for (const char* name : {"taylor_green", "channel"}) {
    const SolvedFlow by_sweeps = flow(name, "sor", 1000, 0);
    for (const auto& [solver, most, tolerance] : {std::tuple{"cg", 200, 1e-13},
                                                  {"pcg", 100, 1e-13},
                                                  {"bicgstab", 200, 1e-13},
                                                  {"multigrid", 30, 0.0}}) {
      INFO(name << " by " << solver);
      const SolvedFlow other = flow(name, solver, most, tolerance);
      CHECK(largest_difference(other.flow.u, by_sweeps.flow.u) < 1e-9);
      CHECK(largest_difference(other.flow.v, by_sweeps.flow.v) < 1e-9);
      CHECK(largest_difference(other.flow.mass_x, by_sweeps.flow.mass_x) < 1e-9);
    }
    CHECK_THROWS_WITH(flow(name, "sor", 10, 0.1),
                      ContainsSubstring("pressure_solver=sor") && ContainsSubstring("pressure_tolerance"));
  }
}

TEST_CASE("with periodic sides linear solvers can solve the momentum equations too", "[flow]") {
  const auto vortices = [](const char* solver, int sweeps, double tolerance) {
    return solve_flow("taylor_green", {16, 16}, {},
                      {.solver = "piso",
                       .tolerance = 1e-30,
                       .max_iterations = 5,
                       .config = {{"momentum_solver", solver},
                                  {"momentum_sweeps", sweeps},
                                  {"momentum_tolerance", tolerance}}})
        .flow;
  };
  const FlowFields by_sweeps = vortices("sor", 60, 0);
  for (const char* solver : {"bicgstab", "multigrid"}) {
    INFO(solver);
    const FlowFields other = vortices(solver, 60, 1e-13);
    CHECK(largest_difference(other.u, by_sweeps.u) < 1e-9);
    CHECK(largest_difference(other.mass_y, by_sweeps.mass_y) < 1e-9);
  }
}

TEST_CASE("a tolerance means the same for every relaxation and time step", "[flow]") {
  const double exact = solve_flow("cavity", {16, 16}, {}, {.tolerance = 1e-9}).result("u_min");
  const auto off = [&](const FlowOptions& options) {
    const SolvedFlow s = solve_flow("cavity", {16, 16}, {}, options);
    CHECK(s.outcome.converged);
    return std::abs(s.result("u_min") / exact - 1);
  };
  for (const double relaxation : {0.7, 0.1}) {
    INFO(relaxation);
    CHECK(off({.tolerance = 1e-4, .max_iterations = 20000, .config = {{"velocity_relaxation", relaxation}}}) <
          0.03);
  }
  for (const double courant : {0.5, 0.05}) {
    INFO(courant);
    CHECK(off({.solver = "piso",
               .tolerance = 1e-4,
               .max_iterations = 20000,
               .config = {{"courant", courant}}}) < 0.03);
  }
}

TEST_CASE("Rhie and Chow's face velocity removes a checkerboard pressure, and the mean does not", "[flow]") {
  const auto problem = [] {
    FlowProblem cavity = make_flow_problem(*find_flow_problem("cavity"), Grid{16, 16});
    for_each_cell(cavity.grid, false,
                  [&](int i, int j, int) { cavity.start.p.set(i, j, 0, (i + j) % 2 == 0 ? 0.1 : -0.1); });
    return std::make_shared<const FlowProblem>(cavity);
  }();
  const auto left = [&](const char* method) {
    return solve_flow_on(backend(BackendKind::serial), flow_method("simple", BackendKind::serial, method),
                         problem, {.method = method, .max_iterations = 60})
        .result("checkerboard");
  };
  CHECK(left("paper") > 0.05);
  CHECK(left("rhie_chow") < 0.002);
}

TEST_CASE("all backends take the same steps, bit by bit", "[flow]") {
  struct Flow {
    const char *solver, *problem;
    Config settings, config;
    const char* method = "rhie_chow";
  };
  const Flow flow = GENERATE(Flow{"simple", "channel", {}, {}}, Flow{"piso", "taylor_green", {}, {}},
                             Flow{"piso", "taylor_green", {}, {{"pressure_solver", "sor"}}},
                             Flow{"simple", "tunnel", {{"diameter", 0.5}}, {{"convection", "hybrid"}}},
                             Flow{"simple", "channel", {{"ends", "periodic"}}, {{"convection", "upwind"}}},
                             Flow{"simple", "tunnel", {{"diameter", 0.5}}, {}, "paper"},
                             Flow{"piso", "tunnel", {{"diameter", 0.5}}, {}, "paper"},
                             Flow{"simple", "tunnel", {{"diameter", 0.5}, {"surface", "distances"}}, {}});
  for (Precision p : all_precisions) {
    const auto some = [&](BackendKind kind) {
      return solve_flow(flow.problem, {40, 10}, flow.settings,
                        {.solver = flow.solver,
                         .method = flow.method,
                         .backend = kind,
                         .precision = p,
                         .tolerance = 1e-30,
                         .max_iterations = 15,
                         .config = flow.config});
    };
    const SolvedFlow serial = some(BackendKind::serial);
    for (BackendKind kind : {BackendKind::openmp, BackendKind::kokkos}) {
      if (!unavailable_reason(kind).empty()) continue;
      INFO(flow.problem << " on " << to_string(kind) << " " << to_string(p));
      const SolvedFlow other = some(kind);
      CHECK(largest_difference(serial.flow.u, other.flow.u) == 0);
      CHECK(largest_difference(serial.flow.v, other.flow.v) == 0);
      CHECK(largest_difference(serial.flow.p, other.flow.p) == 0);
      CHECK(largest_difference(serial.flow.mass_x, other.flow.mass_x) == 0);
      CHECK(largest_difference(serial.flow.mass_y, other.flow.mass_y) == 0);
      REQUIRE(serial.outcome.results.size() == other.outcome.results.size());
      for (std::size_t n = 0; n < serial.outcome.results.size(); ++n) {
        const NamedValue &here = serial.outcome.results[n], &there = other.outcome.results[n];
        CHECK(there.name == here.name);
        CHECK(there.value == Approx(here.value).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("a 32-bit solve stalls at rounding, near the 64-bit answer", "[flow]") {
  const SolvedFlow exact = solve_flow("cavity", {16, 16});
  for (Precision p : {Precision::fp32, Precision::mixed}) {
    const SolvedFlow s = solve_flow("cavity", {16, 16}, {}, {.precision = p, .tolerance = 3e-6});
    CHECK(s.outcome.converged);
    CHECK(s.result("u_min") == Approx(exact.result("u_min")).epsilon(2e-3));
  }
}

// The continuity residual before the correction has more rounding than the one after it; a solve must not
// wait for it to fall further.
TEST_CASE("in 32 bits SIMPLE ends when momentum and mass are within the tolerance", "[flow]") {
  const SolvedFlow s = solve_flow("cavity", {48, 48}, {}, {.precision = Precision::fp32, .tolerance = 6e-7});
  CHECK(s.outcome.converged);
  CHECK(s.found.momentum < 7e-7);
  CHECK(s.found.mass < 7e-7);
}

TEST_CASE("a driven flow at rest has not converged, however small its forces are", "[flow]") {
  for (const auto& [reynolds, precision] : {std::pair{1e20, Precision::fp32}, {1e160, Precision::fp64}})
    for (const char* solver : {"simple", "projection"}) {
      INFO(solver << " " << reynolds);
      const bool staggered = std::string_view(solver) == "projection";
      const SolvedFlow s = solve_flow("cavity", {16, 16}, {{"reynolds", reynolds}},
                                      {.solver = solver,
                                       .method = staggered ? "plain" : "rhie_chow",
                                       .precision = precision,
                                       .tolerance = 1e-6,
                                       .max_iterations = 40});
      CHECK_FALSE(s.outcome.converged);
      CHECK(s.outcome.iterations > 0);
    }
}

TEST_CASE("the residuals that a solver claims equal the recomputed ones", "[flow]") {
  const SolvedFlow s = solve_flow("cavity", {16, 16}, {}, {.tolerance = 1e-30, .max_iterations = 100});
  CHECK(s.found.momentum == Approx(s.residual("momentum")).epsilon(1e-9));
  CHECK(s.found.mass == Approx(s.residual("continuity_residual")).epsilon(1e-6));
  CHECK(s.found.mass < s.residual("mass"));
  CHECK(s.found.mass > 0);
}

TEST_CASE("a diverging flow ends and has not converged", "[flow]") {
  const SolvedFlow s = solve_flow(
      "cavity", {16, 16}, {},
      {.max_iterations = 2000, .config = {{"velocity_relaxation", 1.0}, {"pressure_relaxation", 1.0}}});
  CHECK_FALSE(s.outcome.converged);
  CHECK_FALSE(std::isfinite(s.outcome.relative_residual));
  CHECK(s.outcome.iterations < 2000);
}

TEST_CASE("an unsuitable grid for a flow is an error", "[flow]") {
  CHECK_THROWS_WITH(make_flow_problem(*find_flow_problem("channel"), Grid{8, 8, 8}),
                    ContainsSubstring("2-D"));
  CHECK_THROWS_WITH(solve_flow("cavity", {8, 8, 8}), ContainsSubstring("--solver projection"));
  CHECK_THROWS_WITH(make_flow_problem(*find_flow_problem("cavity"), Grid{2, 8}),
                    ContainsSubstring("3 cells"));
}
