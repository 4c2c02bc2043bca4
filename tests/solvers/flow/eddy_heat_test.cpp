// Eddy viscosity together with heat in the projection method.
#include <cmath>

#include "solvers/flow/stability.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;

namespace {

const Config smagorinsky{{"eddy_viscosity", "smagorinsky"}, {"smagorinsky_constant", 0.17}};

// Only the plain method supports eddy viscosity.
FlowOptions in_routines(const Config& config, int most) {
  FlowOptions options = projected(config, 1e-30, most);
  options.method = "plain";
  return options;
}

double difference_of(const FlowFields& a, const FlowFields& b) {
  double largest =
      std::max({largest_difference(a.temperature, b.temperature), largest_difference(a.mass_x, b.mass_x),
                largest_difference(a.mass_y, b.mass_y), largest_difference(a.p, b.p)});
  if (a.p.grid().is_3d()) largest = std::max(largest, largest_difference(a.mass_z, b.mass_z));
  return largest;
}

}  // namespace

TEST_CASE(
    "zero eddy viscosity gives the bits of a heated flow without eddies, and more of it changes the flow",
    "[flow][projection][eddy][heat]") {
  for (const Grid& grid : {Grid{13, 10}, Grid{8, 7, 6}})
    for (Precision p : all_precisions) {
      INFO(grid.dims << "-D " << to_string(p));
      const auto some = [&](const Config& eddies) {
        FlowOptions options = in_routines(with({{"time_step", 5e-4}}, eddies), 7);
        options.precision = p;
        return solve_flow("natural_convection", grid, {}, options).flow;
      };
      const FlowFields without = some({});
      CHECK(difference_of(some(with(smagorinsky, {{"smagorinsky_constant", 0.0}})), without) == 0);
      const FlowFields eddies = some(smagorinsky);
      CHECK(largest_difference(eddies.temperature, without.temperature) > 1e-7);
      // The temperature depends on the turbulent Prandtl number.
      const FlowFields slower = some(with(smagorinsky, {{"turbulent_prandtl", 1e9}}));
      CHECK(largest_difference(eddies.temperature, slower.temperature) > 1e-7);
    }
}

TEST_CASE("flows with heat and eddies have the same bits on all host backends",
          "[flow][projection][eddy][heat]") {
  for (const Grid& grid : {Grid{13, 10}, Grid{9, 8, 7}})
    for (Precision p : all_precisions) {
      const auto some = [&](BackendKind kind) {
        FlowOptions options = in_routines(smagorinsky, 7);
        options.backend = kind, options.precision = p;
        return solve_flow("natural_convection", grid, {{"rayleigh", 1e6}}, options).flow;
      };
      const FlowFields serial = some(BackendKind::serial);
      for (BackendKind kind : {BackendKind::openmp, BackendKind::kokkos})
        if (unavailable_reason(kind).empty()) {
          INFO(grid.dims << "-D " << to_string(p) << " " << to_string(kind));
          CHECK(difference_of(some(kind), serial) == 0);
        }
    }
}

// One side is warm initially; no heat leaves through any side while the fluid moves.
TEST_CASE("eddies conserve the heat of an insulated box", "[flow][projection][eddy][heat]") {
  for (const Grid& grid : {Grid{16, 12}, Grid{8, 8, 6}}) {
    FlowProblem problem = *posed_flow("natural_convection", grid, {{"rayleigh", 1e6}});
    FlowSide insulated;
    insulated.kind = FaceKind::slip;
    problem.thermal_faces = flow_in_box(grid, {.west = insulated,
                                               .east = insulated,
                                               .south = insulated,
                                               .north = insulated,
                                               .bottom = insulated,
                                               .top = insulated})
                                .faces;
    const auto heat = [&](const FlowFields& flow) {
      double sum = 0;
      for_each_cell(grid, false, [&](int i, int j, int k) { sum += 1 + flow.temperature.get(i, j, k); });
      return sum;
    };
    const SolvedFlow s = solved(std::make_shared<const FlowProblem>(problem), in_routines(smagorinsky, 50));
    INFO(grid.dims);
    CHECK(s.result("largest_eddy_viscosity") > 0.05);
    CHECK(largest_difference(s.flow.temperature, problem.start.temperature) > 0.01);
    CHECK(heat(s.flow) == Approx(heat(problem.start)).epsilon(1e-12));
  }
}

TEST_CASE("the eddy diffusivity of heat limits the time step if it exceeds that of momentum",
          "[flow][projection][eddy][heat]") {
  // A tenth of the limit of conduction alone.
  const double time_step =
      0.1 * longest_step(false, {.dx = 1.0 / 16, .dy = 1.0 / 16, .viscosity = 1}, {0, 0}, 0).length;
  const auto convection = [=](double prandtl) {
    return solve_flow("natural_convection", {16, 16}, {{"rayleigh", 1e4}},
                      in_routines(with(smagorinsky, {{"smagorinsky_constant", 1.0},
                                                     {"turbulent_prandtl", prandtl},
                                                     {"time_step", time_step}}),
                                  30));
  };
  CHECK_NOTHROW(convection(0.9));
  CHECK_THROWS_WITH(convection(0.01), ContainsSubstring("is unstable") && ContainsSubstring("by eddies") &&
                                          ContainsSubstring("heat"));
  // Adaptive steps are shorter if eddies transport more heat.
  const auto time = [](double prandtl) {
    return solve_flow("natural_convection", {16, 16}, {{"rayleigh", 1e6}},
                      in_routines(with(smagorinsky, {{"turbulent_prandtl", prandtl}}), 60))
        .flow.time;
  };
  CHECK(time(0.01) < 0.8 * time(0.9));
}

TEST_CASE("a turbulent Prandtl number without eddies or without heat is an error",
          "[flow][projection][eddy][heat]") {
  const auto refused = [](const char* problem, const Config& config, const char* words) {
    CHECK_THROWS_WITH(solve_flow(problem, {8, 8}, {}, in_routines(config, 1)), ContainsSubstring(words));
  };
  refused("natural_convection", {{"turbulent_prandtl", 0.7}}, "turbulent_prandtl needs eddy_viscosity");
  refused("cavity", with(smagorinsky, {{"turbulent_prandtl", 0.7}}), "turbulent_prandtl: ");
  refused("natural_convection", with(smagorinsky, {{"turbulent_prandtl", 0.0}}), "a number above 0");
}
