// Known values along lines through a box, and published values of flows.
#include "solvers/problems/cavity_profiles.hpp"

#include <cmath>
#include <numbers>

#include "tests/catch.hpp"
#include "tests/solvers/problems/posed_flow.hpp"

using namespace cfdmark;

namespace {

Centreline along(int cells, double (*f)(double)) {
  return Centreline(cells, f(0), f(1), [=](int n) { return f((n + 0.5) / cells); });
}
double named(const std::vector<NamedValue>& values, const std::string& name) {
  for (const NamedValue& v : values)
    if (v.name == name) return v.value;
  throw std::invalid_argument(name);
}

}  // namespace

TEST_CASE("the extremum of a cubic is found between two cells", "[centreline]") {
  // The maximum is 4/27 at 1/3.
  const Extreme most = along(10, [](double x) { return x * (1 - x) * (1 - x); }).extreme(1);
  CHECK(most.value == Approx(4.0 / 27).epsilon(1e-6));
  CHECK(most.at == Approx(1.0 / 3).margin(1e-3));
}

TEST_CASE("interpolation reproduces a cubic between cells, and the wall value at a wall", "[centreline]") {
  const Centreline cubic = along(5, [](double x) { return 1 + x * x * (2 - x); });
  for (const double at : {0.0, 0.03, 0.1, 0.4999, 0.77, 0.96, 1.0})
    CHECK(cubic.value_at(at) == Approx(1 + at * at * (2 - at)));
}

// u along the centreline of a cavity whose lid has just started to move. An unlimited cubic would give
// -0.0102.
TEST_CASE("the extremum of a line that ends in a jump does not exceed its cells", "[centreline]") {
  const std::vector<double> cells = {-0.0044, -0.0047, -0.005,   -0.0053, -0.0055,
                                     -0.0057, -0.0058, -0.00587, -0.003,  0.0876};
  const Centreline line(10, 0, 1, [&](int n) { return cells[n]; });
  CHECK(line.extreme(-1).value == Approx(-0.00587).margin(1e-4));
  const Centreline rest(32, 0, 1, [](int) { return 0.0; });
  CHECK(rest.extreme(-1).value == 0);
}

// Botella and Peyret: u = -0.3004561 at y = 0.1016 and -0.0620561 at 1/2, v = -0.5264392 at x = 0.9063.
TEST_CASE("the difference from published profiles is the largest over all their points, in lid speeds",
          "[centreline]") {
  const auto flat = [](double u, double v, int dimensions = 2, double reynolds = 1000) {
    const auto line = [](double value) { return Centreline(8, value, value, [=](int) { return value; }); };
    return profile_difference({line(u), line(v)}, dimensions, reynolds);
  };
  CHECK(flat(-0.0620561, 0).source == "Botella and Peyret 1998");
  CHECK(flat(0, 0).largest == Approx(1));            // at the lid
  CHECK(flat(1, 0).largest == Approx(1.3885691));    // u, y = 0.1719
  CHECK(flat(0.5, 1).largest == Approx(1.5264392));  // v, x = 0.9063
  CHECK(flat(0, 0, 2, 5000).source == "Erturk, Corke and Gokcol 2005");
  CHECK(flat(0, 0, 2, 400).source == "Ghia, Ghia and Shin 1982");
  CHECK(flat(0, 0, 3).source == "Albensoeder and Kuhlmann 2005");
  CHECK(flat(0, 0, 3, 100).source.empty());
  CHECK(profile_source(2, 1000.5).empty());
}

TEST_CASE("the extremum of a monotonic line is its end", "[centreline]") {
  const Centreline falling = along(7, [](double x) { return 2 - x * x; });
  CHECK(falling.extreme(-1).value == 1);
  CHECK(falling.extreme(-1).at == 1);
  CHECK(falling.extreme(1).at == 0);
}

// u = sin^2(pi x) sin(2 pi y), v = -sin(2 pi x) sin^2(pi y), T = 1/2 - x + 0.1 sin(2 pi x) (1 + cos(pi y)).
// The flux through the hot wall is 1 - 0.2 pi (1 + cos(pi y)): smallest at y = 0, on average 1 - 0.2 pi.
TEST_CASE("a known convection has its Nusselt numbers and its largest velocities", "[centreline][flow]") {
  using std::numbers::pi;
  const auto problem = make_flow_problem(*find_flow_problem("natural_convection"), {40, 40});
  FlowFields flow = problem.start;
  flow.staggered = true;
  const double h = 1.0 / 40;
  for_each_cell(flow.mass_x.grid(), false, [&](int i, int j, int) {
    flow.mass_x.set(i, j, 0, h * std::pow(std::sin(pi * i * h), 2) * std::sin(2 * pi * (j + 0.5) * h));
  });
  for_each_cell(flow.mass_y.grid(), false, [&](int i, int j, int) {
    flow.mass_y.set(i, j, 0, -h * std::sin(2 * pi * (i + 0.5) * h) * std::pow(std::sin(pi * j * h), 2));
  });
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    const double x = (i + 0.5) * h, y = (j + 0.5) * h;
    flow.temperature.set(i, j, 0, 0.5 - x + 0.1 * std::sin(2 * pi * x) * (1 + std::cos(pi * y)));
  });
  const auto results = flow_results(problem, flow);
  CHECK(named(results, "nusselt_hot") == Approx(1 - 0.2 * pi).epsilon(0.01));
  CHECK(named(results, "nusselt_cold") == Approx(1 - 0.2 * pi).epsilon(0.01));
  CHECK(named(results, "nusselt_max") == Approx(1).epsilon(0.01));
  CHECK(named(results, "nusselt_max_y") == 1);
  CHECK(named(results, "nusselt_min") == Approx(1 - 0.4 * pi).epsilon(0.02));
  CHECK(named(results, "u_max") == Approx(1).epsilon(1e-3));
  CHECK(named(results, "u_max_y") == Approx(0.25).margin(0.01));
  CHECK(named(results, "v_max") == Approx(1).epsilon(1e-3));
  CHECK(named(results, "v_max_x") == Approx(0.75).margin(0.01));
  // Mean of u T - dT/dx over the square: 1 from conduction, plus what u transports of the wave in x and y.
  CHECK(named(results, "nusselt_mean") == Approx(1).margin(0.01));
}

TEST_CASE("published values exist only for their own settings and dimensions", "[flow]") {
  const auto known = [](const char* name, const Grid& grid, const Config& settings, double time = 0) {
    return published_values(flow_with(name, grid, settings), time);
  };
  const auto heat = known("natural_convection", {8, 8}, {{"rayleigh", 1e4}});
  REQUIRE(!heat.empty());
  CHECK(heat.front().name == "nusselt_mean");
  CHECK(heat.front().value == 2.243);
  CHECK(known("natural_convection", {8, 8}, {{"rayleigh", 2e4}}).empty());
  CHECK(known("natural_convection", {8, 8}, {{"rayleigh", 1e4}, {"prandtl", 1.0}}).empty());
  CHECK(known("natural_convection", {8, 8, 8}, {{"rayleigh", 1e4}}).empty());
  CHECK(known("cavity", {8, 8}, {{"reynolds", 1000.0}}).front().source == "Botella and Peyret 1998");
  CHECK(known("cavity", {8, 8, 8}, {{"reynolds", 1000.0}}).front().value == -0.2803833);
  CHECK(known("cavity", {8, 8, 8}, {{"reynolds", 100.0}}).empty());
  CHECK(known("kovasznay", {8, 8}, {}).empty());
  // Halfway between two points of the curve.
  const auto decaying = known("taylor_green_3d", {8, 8, 8}, {}, 0.5 * (8.435 + 9.103));
  REQUIRE(decaying.size() == 1);
  CHECK(decaying[0].value == Approx(0.5 * (0.011930 + 0.012676)));
  CHECK(decaying[0].time > 8);
  CHECK(known("taylor_green_3d", {8, 8, 8}, {}, 20).empty());
  CHECK(known("taylor_green_3d", {8, 8, 8}, {{"reynolds", 800.0}}, 5).empty());
}

// A published value without a result would never be compared.
TEST_CASE("every published value has a result of its name", "[flow]") {
  for (const auto& [name, grid, settings] :
       {std::tuple{"natural_convection", Grid{8, 8}, Config{{"rayleigh", 1e3}}},
        {"cavity", Grid{8, 8, 8}, Config{{"reynolds", 1000.0}}},
        {"cavity", Grid{8, 8}, Config{{"reynolds", 2500.0}}}}) {
    const FlowProblem problem = flow_with(name, grid, settings);
    const auto results = flow_results(problem, problem.start);
    for (const PublishedValue& value : published_values(problem, 0)) {
      INFO(name << " " << value.name);
      CHECK_NOTHROW(named(results, value.name));
    }
  }
}
