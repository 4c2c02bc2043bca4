// Eddy viscosity in the projection method.
#include <cmath>
#include <random>

#include "solvers/flow/eddy_model.hpp"
#include "solvers/flow/stability.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;

namespace {

// Only the plain method supports eddy viscosity.
FlowOptions in_routines(const Config& config, double tolerance = 1e-30, int most = 100000) {
  FlowOptions options = projected(config, tolerance, most);
  options.method = "plain";
  return options;
}

double difference_of(const FlowFields& a, const FlowFields& b) {
  double largest = std::max({largest_difference(a.mass_x, b.mass_x), largest_difference(a.mass_y, b.mass_y),
                             largest_difference(a.p, b.p)});
  if (a.p.grid().is_3d()) largest = std::max(largest, largest_difference(a.mass_z, b.mass_z));
  return largest;
}

Config completed(const Config& config) {
  return flow_method("projection", BackendKind::serial, "plain").space.complete(config);
}

// Returns u of a driven channel in its steady state, by rows.
std::vector<double> channel(int rows, const Config& config, bool is_3d = false) {
  Config all = {{"pressure_solver", "sor"}, {"pressure_sweeps", 1}, {"check_interval", 50}};
  Grid grid{4, rows};
  if (is_3d) grid = Grid{4, rows, 4};
  const SolvedFlow s = solve_flow("mixing_length_channel", grid, {}, in_routines(with(all, config), 1e-8));
  CHECK(s.outcome.converged);
  std::vector<double> u;
  for (int j = 0; j < rows; ++j) u.push_back(s.flow.u.get(1, j));
  return u;
}

const Config van_driest{{"eddy_viscosity", "mixing_length"}, {"wall_damping", "van_driest"}};

}  // namespace

TEST_CASE("a Smagorinsky constant of 0 gives the bits of the flow without the model",
          "[flow][projection][eddy]") {
  for (const Grid& grid : {Grid{13, 10}, Grid{8, 7, 6}})
    for (const char* convection : {"central", "upwind"})
      for (Precision p : all_precisions) {
        INFO(grid.dims << "-D " << convection << " " << to_string(p));
        const auto some = [&](const Config& eddies) {
          FlowOptions options =
              in_routines(with({{"convection", convection}, {"time_step", 0.004}}, eddies), 1e-30, 7);
          options.precision = p;
          return solve_flow("cavity", grid, {}, options).flow;
        };
        const FlowFields without = some({});
        const Config model{{"eddy_viscosity", "smagorinsky"}};
        CHECK(difference_of(some(with(model, {{"smagorinsky_constant", 0.0}})), without) == 0);
        CHECK(difference_of(some(with(model, {{"smagorinsky_constant", 0.2}})), without) > 1e-7);
      }
}

TEST_CASE("flows with eddies have the same bits on all host backends", "[flow][projection][eddy]") {
  for (const Grid& grid : {Grid{13, 10}, Grid{9, 8, 7}})
    for (Precision p : all_precisions)
      for (const char* convection : {"central", "upwind"}) {
        const auto some = [&](BackendKind kind) {
          FlowOptions options = in_routines(
              {{"eddy_viscosity", "smagorinsky"}, {"convection", convection}, {"smagorinsky_constant", 0.17}},
              1e-30, 7);
          options.backend = kind, options.precision = p;
          return solve_flow("cavity", grid, {{"reynolds", 1000.0}}, options).flow;
        };
        const FlowFields serial = some(BackendKind::serial);
        for (BackendKind kind : {BackendKind::openmp, BackendKind::kokkos})
          if (unavailable_reason(kind).empty()) {
            INFO(grid.dims << "-D " << to_string(p) << " " << to_string(kind) << " " << convection);
            CHECK(difference_of(some(kind), serial) == 0);
          }
      }
}

// nu_t = l^2 du/dy with constant l (reference/exact_solutions.yaml: u_tau = 1, nu = 1 / 180, l = 0.05; u(1/2)
// = 8.0817927139, u(1) = 12.2817119859).
TEST_CASE("a driven channel with Smagorinsky's model converges to its closed form with second order",
          "[flow][projection][eddy]") {
  const double nu = 1.0 / 180, l = 0.05;
  const auto u_at = [&](double y) {
    const auto power = [&](double s) { return std::pow(nu * nu + 4 * l * l * s, 1.5); };
    return (-nu * y + (power(1) - power(1 - y)) / (6 * l * l)) / (2 * l * l);
  };
  REQUIRE(u_at(0.5) == Approx(8.0817927139).epsilon(1e-10));
  REQUIRE(u_at(1) == Approx(12.2817119859).epsilon(1e-10));
  const auto error = [&](int rows, bool is_3d) {
    const double dx = 0.5, dy = 2.0 / rows, delta = is_3d ? std::cbrt(dx * dy * 0.5) : std::sqrt(dx * dy);
    const std::vector<double> u =
        channel(rows, {{"eddy_viscosity", "smagorinsky"}, {"smagorinsky_constant", l / delta}}, is_3d);
    double squares = 0;
    for (int j = 0; j < rows / 2; ++j) {
      CHECK(u[rows - 1 - j] == Approx(u[j]).epsilon(1e-6));
      squares += std::pow(u[j] - u_at((j + 0.5) * dy), 2);
    }
    return std::sqrt(squares / (rows / 2));
  };
  const double coarse = error(16, false), fine = error(32, false), finest = error(64, false);
  CHECK(std::log2(coarse / fine) > 1.6);
  CHECK(std::log2(fine / finest) == Approx(2).margin(0.25));
  CHECK(error(16, true) == Approx(coarse).epsilon(1e-3));
}

// Exact model solutions by another quadrature: channel_mixing_length.csv of the reference.
TEST_CASE("the closed form of the channel with a mixing length equals the reference",
          "[flow][projection][eddy]") {
  for (const auto& [re_tau, bulk, middle] :
       {std::tuple{180.0, 14.2001, 16.1484}, {590.0, 17.5260, 19.2529}}) {
    const auto problem = posed_flow("mixing_length_channel", {4, 2001}, {{"friction_reynolds", re_tau}});
    CHECK(problem->start.u.get(0, 0) == Approx(bulk).margin(2e-4));
    CHECK(problem->speed == Approx(middle).margin(1e-4));
  }
}

TEST_CASE("a driven channel with van Driest's mixing length converges to its closed form with second order",
          "[flow][projection][eddy]") {
  const auto error = [](int rows) {
    const Config config =
        with(van_driest, {{"pressure_solver", "sor"}, {"pressure_sweeps", 1}, {"check_interval", 50}});
    const SolvedFlow s = solve_flow("mixing_length_channel", {4, rows}, {{"friction_reynolds", 40.0}},
                                    in_routines(config, 1e-8));
    CHECK(s.outcome.converged);
    return s.result("error_u_l2");
  };
  const double coarse = error(16), fine = error(32);  // the speed in the middle is 11
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.15));
  CHECK(fine < 0.09);
}

TEST_CASE("one plane between slip sides has the bits of a 2-D flow with eddies", "[flow][projection][eddy]") {
  const auto cavity = [](int dims) {
    FlowBox box{.viscosity = 0.01};
    box.north.u = [](double, double) { return 1.0; };
    box.bottom.kind = box.top.kind = FaceKind::slip;
    Grid grid{13, 10};
    grid.dims = dims;
    FlowProblem problem = flow_in_box(grid, box);
    problem.description = find_flow_problem("cavity");
    problem.settings = Config{{"reynolds", 100.0}};
    const Config config{{"eddy_viscosity", "mixing_length"},
                        {"time_step", 0.001},
                        {"pressure_solver", "sor"},
                        {"pressure_sweeps", 7}};
    return solved(std::make_shared<const FlowProblem>(problem), in_routines(config, 1e-30, 9)).flow;
  };
  const FlowFields in_2d = cavity(2), in_3d = cavity(3);
  double largest = 0, speed = 0;
  for_each_cell(in_2d.p.grid(), false, [&](int i, int j, int k) {
    speed = std::max(speed, in_2d.u.get(i, j, k));
    largest =
        std::max({largest, std::abs(in_2d.u.get(i, j, k) - in_3d.u.get(i, j, k)),
                  std::abs(in_2d.v.get(i, j, k) - in_3d.v.get(i, j, k)),
                  std::abs(in_2d.p.get(i, j, k) - in_3d.p.get(i, j, k)), std::abs(in_3d.w.get(i, j, k))});
  });
  CHECK(speed > 0.01);
  CHECK(largest == 0);
}

TEST_CASE("eddies dissipate more energy than viscosity alone, and conserve momentum",
          "[flow][projection][eddy]") {
  const auto vortices = [](const Config& eddies) {
    const Config config =
        with(eddies,
             {{"pressure_solver", "sor"}, {"pressure_sweeps", 100}, {"time_step", 0.02}, {"end_time", 1.0}});
    return solve_flow("taylor_green_3d", {8, 8, 8}, {}, in_routines(config));
  };
  const SolvedFlow without = vortices({}),
                   with_eddies =
                       vortices({{"eddy_viscosity", "smagorinsky"}, {"smagorinsky_constant", 0.17}});
  CHECK(with_eddies.result("mean_energy") < 0.995 * without.result("mean_energy"));
  CHECK(with_eddies.result("mean_energy") > 0.5 * without.result("mean_energy"));
  CHECK(with_eddies.result("largest_eddy_viscosity") > 0.01);
  CHECK(with_eddies.result("largest_eddy_viscosity") < 0.2);
  double sum = 0;
  for_each_cell(with_eddies.flow.u.grid(), false,
                [&](int i, int j, int k) { sum += with_eddies.flow.u.get(i, j, k); });
  CHECK(std::abs(sum) < 1e-10);
}

TEST_CASE("the eddy length is that of the cells or of the wall distance, damped next to walls",
          "[flow][projection][eddy]") {
  const auto lengths = [](const std::string& name, const Grid& grid, const Config& config) {
    const auto problem = posed_flow(name, grid);
    return eddy_lengths(*problem, problem->faces, completed(config));
  };
  const Config constant{{"eddy_viscosity", "smagorinsky"}, {"smagorinsky_constant", 0.2}};
  CHECK(lengths("cavity", {4, 16}, constant).get(2, 3) == Approx(0.2 / 8));
  CHECK(lengths("cavity", {4, 8, 16}, constant).get(2, 3, 4) == Approx(0.2 / 8));
  // In a square of 8 x 8 cells the nearest wall of cell (2, 5) is 2.5 cells away.
  const Config mixing{{"eddy_viscosity", "mixing_length"}};
  CHECK(lengths("cavity", {8, 8}, mixing).get(2, 5) == Approx(0.41 * 2.5 / 8));
  CHECK(lengths("cavity", {8, 8, 8}, mixing).get(4, 5, 7) == Approx(0.41 * 0.5 / 8));
  // The channel's force implies a friction speed of 1, so y+ = 180 y.
  const HostField damped = lengths("mixing_length_channel", {4, 8}, van_driest);
  for (const int j : {0, 7}) CHECK(damped.get(1, j) == Approx(0.41 / 8 * (1 - std::exp(-180.0 / 8 / 26))));
  CHECK(damped.get(1, 3) == Approx(0.41 * 7 / 8 * (1 - std::exp(-180.0 * 7 / 8 / 26))));
  const HostField at_speed =
      lengths("cavity", {8, 8}, with(constant, {{"wall_damping", "van_driest"}, {"friction_speed", 0.26}}));
  CHECK(at_speed.get(3, 0) == Approx(0.2 / 8 * (1 - std::exp(-100.0 / 16 * 0.01))));
  CHECK_THROWS_WITH(lengths("taylor_green", {8, 8}, mixing),
                    ContainsSubstring("eddy_viscosity=mixing_length"));
}

TEST_CASE("the sum of the fluid's viscosity and the largest eddy viscosity limits the time step",
          "[flow][projection][eddy]") {
  const auto cavity = [](double time_step) {
    return solve_flow(
        "cavity", {16, 16}, {{"reynolds", 100.0}},
        in_routines(
            {{"eddy_viscosity", "smagorinsky"}, {"smagorinsky_constant", 1.0}, {"time_step", time_step}},
            1e-30, 20));
  };
  // Next to the lid's corner |S| is initially sqrt(2) 16 and nu_t that over 256. The fluid's own viscosity
  // would allow 0.049.
  const double eddies = std::sqrt(2.0) / 16, longest = 1 / (4 * (0.01 + eddies) * 512);
  CHECK_NOTHROW(cavity(0.9 * longest));
  CHECK_THROWS_WITH(cavity(1.1 * longest),
                    ContainsSubstring("is unstable") && ContainsSubstring("0.0884 added to nu"));
  // Without a given time step, steps follow the limit.
  const SolvedFlow s =
      solve_flow("cavity", {16, 16}, {},
                 in_routines({{"eddy_viscosity", "smagorinsky"}, {"smagorinsky_constant", 1.0}}, 1e-30, 40));
  CHECK(std::isfinite(s.outcome.relative_residual));
  CHECK(s.flow.time < 40 * longest);
}

// Central fluxes allow longer steps at higher viscosity (Courant numbers 0.63 and 0.48 at cell Peclet numbers
// 20 and 50), but eddies do not exist everywhere.
TEST_CASE("local eddies never permit a longer time step", "[flow][projection][eddy]") {
  const FluidCell cell{.dx = 0.1, .dy = 0.1, .viscosity = 0.002};  // Peclet number 50 for a speed of 1
  const auto longest = [&](bool upwind, double eddies) {
    return longest_step(upwind, cell, {1, 1}, 0, eddies).length;
  };
  CHECK(longest(false, 0) == Approx(0.48 / 20));
  CHECK(longest(false, 0.003) == Approx(0.48 / 20));
  CHECK(longest(false, 0.998) == Approx(1 / 800.0));
  CHECK(longest(true, 0.998) == Approx(1 / (80 + 800.0)));
}

TEST_CASE("the counted memory of a flow with eddies covers all of their settings",
          "[flow][projection][eddy]") {
  const FlowMethod method = flow_method("projection", BackendKind::serial, "plain");
  const auto bytes = [&](const Config& config) {
    return flow_bytes(method, BackendKind::serial, Precision::fp64, {24, 18}, completed(config));
  };
  // l, nu_t and the open faces of an outlet with its sums, in place of the four fields of heat.
  const double one_field = double(Layout(Grid{24, 18}).elements) * 8, sums = 1000;
  const double less = double(bytes({{"time_steps", "stable"}})) - double(bytes(van_driest));
  CHECK(less <= one_field);
  CHECK(less > one_field - sums);
}

TEST_CASE("eddies in an unsupported flow or method are an error, and settings without effect too",
          "[flow][projection][eddy]") {
  const auto refused = [](const Config& config, const char* words, const char* problem = "cavity",
                          const char* method = "plain") {
    FlowOptions options = in_routines(config, 1e-30, 1);
    options.method = method;
    CHECK_THROWS_WITH(solve_flow(problem, {8, 8}, {}, options), ContainsSubstring(words));
  };
  const Config smagorinsky{{"eddy_viscosity", "smagorinsky"}};
  refused(smagorinsky, "does not support eddy_viscosity", "cavity", "fused");
  refused(with(smagorinsky, {{"smagorinsky_constant", 1.5}}), "a number from 0 to 1");
  refused(with(smagorinsky, {{"wall_damping", "van_driest"}}), "set friction_speed");
  refused({{"eddy_viscosity", "mixing_length"}, {"smagorinsky_constant", 0.2}},
          "smagorinsky_constant needs eddy_viscosity=smagorinsky");
  refused({{"wall_damping", "van_driest"}}, "wall_damping needs eddy_viscosity");
  refused(with(smagorinsky, {{"friction_speed", 1.0}}), "friction_speed needs wall_damping=van_driest");
  refused({{"eddy_viscosity", "prandtl"}}, "smagorinsky");
}
