// Bodies in a flow: their cells and the forces on them.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

// The sum of the momentum equations over all cells: inflow minus outflow of momentum, the pressure at the
// inflow and the wall friction must equal the force on the body.
TEST_CASE("the force on a body equals the balance of momentum", "[flow][body]") {
  const std::string shape = GENERATE("rectangle", "circle"), wall = GENERATE("staircase", "distances");
  INFO(shape << " " << wall);
  const Grid g{64, 32};
  const auto problem =
      posed_flow("tunnel", g, {{"reynolds", 20.0}, {"diameter", 0.3}, {"shape", shape}, {"surface", wall}});
  const SolvedFlow s =
      solve_flow_on(backend(BackendKind::serial), flow_method("simple", BackendKind::serial, "rhie_chow"),
                    problem, {.tolerance = 1e-13, .max_iterations = 20000});
  REQUIRE(s.outcome.converged);
  const FluidCell& c = problem->cell;
  const HostField &u = s.flow.u, &p = s.flow.p, &mass = s.flow.mass_x;
  double force = 0;
  for (int j = 0; j < g.ny; ++j) {
    const double y = (j + 0.5) * c.dy, inflow = 6 * y * (1 - y);
    force += mass.get(0, j) * inflow + (1.5 * p.get(0, j) - 0.5 * p.get(1, j)) * c.dy;
    force += 2 * c.viscosity * c.dy / c.dx * (inflow - u.get(0, j));
    force -= mass.get(g.nx, j) * u.get(g.nx - 1, j);
  }
  for (int i = 0; i < g.nx; ++i) force -= 2 * c.viscosity * c.dx / c.dy * (u.get(i, 0) + u.get(i, g.ny - 1));
  CHECK(s.result("drag_coefficient") * problem->force_scale == Approx(force).epsilon(1e-10));
  CHECK(std::abs(s.result("lift_coefficient")) < 1e-10);  // the tunnel is symmetric
}

// Schaefer and Turek 1996, with Nabh's spectral value; staircases with five and ten cells across.
TEST_CASE("the drag of a cylinder in a channel is within 3 % of the benchmark and converges with the cells",
          "[flow][body]") {
  constexpr double benchmark = 5.57953523384;
  const SolvedFlow s = solve_flow("cylinder", {220, 41}, {}, {.tolerance = 1e-5});
  CHECK(s.outcome.converged);
  CHECK(s.result("drag_coefficient") == Approx(benchmark).epsilon(0.03));
  const double coarse = solve_flow("cylinder", {110, 20}, {}, {.tolerance = 1e-5}).result("drag_coefficient");
  CHECK(std::abs(s.result("drag_coefficient") - benchmark) < 0.5 * std::abs(coarse - benchmark));
  CHECK(s.result("pressure_difference") == Approx(0.11752016697 / 0.04).epsilon(0.05));
}

TEST_CASE("the cylinder has published values at its two benchmark Reynolds numbers only", "[flow][body]") {
  const auto names = [](double reynolds) {
    std::vector<std::string> all;
    for (const PublishedValue& known :
         published_values(*posed_flow("cylinder", {220, 41}, {{"reynolds", reynolds}}), 0))
      all.push_back(known.name);
    return all;
  };
  CHECK(names(20) == std::vector<std::string>{"drag_coefficient", "lift_coefficient", "pressure_difference"});
  CHECK(names(100) ==
        std::vector<std::string>{"strouhal_number", "drag_coefficient_max", "lift_coefficient_max"});
  CHECK(names(40).empty());
}

TEST_CASE("solid cells stay at rest and no mass passes through them", "[flow][body]") {
  const auto problem = posed_flow("tunnel", {64, 16}, {{"diameter", 0.4}});
  const SolvedFlow s =
      solve_flow_on(backend(BackendKind::serial), flow_method("simple", BackendKind::serial, "rhie_chow"),
                    problem, {.max_iterations = 50});
  int solid = 0;
  for_each_cell(problem->grid, false, [&](int i, int j, int) {
    if (!CellFaces{int(problem->faces.get(i, j))}.is_body()) return;
    ++solid;
    CHECK(s.flow.u.get(i, j) == 0);
    CHECK(s.flow.v.get(i, j) == 0);
    CHECK(s.flow.mass_x.get(i, j) == 0);
    CHECK(s.flow.mass_x.get(i + 1, j) == 0);
    CHECK(s.flow.mass_y.get(i, j) == 0);
    CHECK(s.flow.mass_y.get(i, j + 1) == 0);
  });
  CHECK(solid == 32);  // a circle of 6.4 cells in diameter
}

TEST_CASE("the aspect of a rectangle is its length over its diameter", "[flow][body]") {
  for (const auto& [aspect, cells] : {std::pair{1.0, 8 * 8}, {2.0, 16 * 8}, {0.5, 4 * 8}}) {
    INFO(aspect);
    const auto problem =
        posed_flow("tunnel", {128, 32}, {{"shape", "rectangle"}, {"diameter", 0.25}, {"aspect", aspect}});
    int solid = 0;
    for_each_cell(problem->grid, false,
                  [&](int i, int j, int) { solid += CellFaces{int(problem->faces.get(i, j))}.is_body(); });
    CHECK(solid == cells);
  }
}

TEST_CASE("an inflow without an outflow is an error, and an outflow without an inflow too", "[flow]") {
  FlowBox box;
  box.west.u = [](double, double y) { return 6 * y * (1 - y); };
  CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, box),
                    ContainsSubstring("1.01 per second more flows in") && ContainsSubstring("outlet"));
  box.east.u = [](double, double y) { return 6 * y * (1 - y); };
  CHECK_NOTHROW(flow_in_box(Grid{8, 8}, box));
  box.west.u = nullptr;
  CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, box), ContainsSubstring("more flows out"));
  box.west.kind = FaceKind::outlet;
  CHECK_NOTHROW(flow_in_box(Grid{8, 8}, box));
}

TEST_CASE("a body may touch any side", "[flow][body]") {
  const int side = GENERATE(0, 1, 2, 3);
  INFO(side);
  FlowBox box{.viscosity = 0.05};
  box.west.u = [](double, double) { return 1.0; };
  box.east.kind = FaceKind::outlet;
  box.is_body = [=](double x, double y) {
    const double across = side < 2 ? x : y, along = side < 2 ? y : x;
    return (side % 2 == 0 ? across : 1 - across) < 0.3 && std::abs(along - 0.5) < 0.2;
  };
  auto problem = std::make_shared<FlowProblem>(flow_in_box(Grid{16, 16}, box));
  problem->description = find_flow_problem("tunnel");
  problem->force_scale = 1;
  const SolvedFlow s = solve_flow_on(backend(BackendKind::serial),
                                     flow_method("simple", BackendKind::serial, "rhie_chow"), problem, {});
  CHECK(s.outcome.converged);
  CHECK(s.found.mass < 1e-7);
  CHECK(std::isfinite(s.result("drag_coefficient")));
}

TEST_CASE("a body that is too small for the grid, fills the box or cuts the fluid in two is an error",
          "[flow][body]") {
  CHECK_THROWS_WITH(posed_flow("tunnel", {64, 16}), ContainsSubstring("2 cells across on 64x16") &&
                                                        ContainsSubstring("at least 4") &&
                                                        ContainsSubstring("128x32"));
  CHECK_THROWS_WITH(posed_flow("cylinder", {60, 41}), ContainsSubstring("cells across"));
  FlowBox box;
  box.is_body = [](double, double) { return true; };
  CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, box), ContainsSubstring("fills the whole box"));
  box.is_body = [](double x, double) { return x > 0.4 && x < 0.6; };
  CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, box), ContainsSubstring("24 of 48"));
  box.periodic_x = true;  // then both parts are connected
  CHECK_NOTHROW(flow_in_box(Grid{8, 8}, box));
  box.is_body = [](double x, double) { return std::abs(x - 0.5) < 0.01; };  // between two cell centres
  CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, box), ContainsSubstring("on 8x8"));
  CHECK_THROWS_WITH(
      posed_flow("tunnel", {128, 32}, {{"shape", "superellipse"}, {"exponent", 0.5}, {"aspect", 0.25}}),
      ContainsSubstring("1 cells long and 4 cells across on 128x32"));
}

TEST_CASE("a body that closes an inflow or an outlet is an error, whatever the outlet prescribes",
          "[flow][body]") {
  const auto box = [](const std::function<bool(double x, double y)>& is_body, bool pressure = true) {
    FlowBox with_body{.outlet_gives_pressure = pressure, .is_body = is_body};
    with_body.west.u = [](double, double) { return 1.0; };
    with_body.east.kind = FaceKind::outlet;
    with_body.north.u = [](double, double) { return 1.0; };  // a moving wall is not an inflow
    return with_body;
  };
  const auto in_the_west = [](double x, double) { return x < 0.3; };
  const auto in_the_east = [](double x, double) { return x > 0.7; };
  for (const bool pressure : {true, false}) {
    CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, box(in_the_west, pressure)),
                      ContainsSubstring("inflow in the west"));
    CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, box(in_the_east, pressure)),
                      ContainsSubstring("outlet in the east"));
  }
  CHECK_NOTHROW(flow_in_box(Grid{8, 8}, box([](double x, double y) { return x > 0.7 && y > 0.2; })));
  CHECK_NOTHROW(flow_in_box(Grid{8, 8}, box([](double, double y) { return y > 0.7; })));
  FlowBox from_below{.is_body = [](double, double y) { return y < 0.3; }};
  from_below.south.v = [](double, double) { return 1.0; };
  from_below.north.kind = FaceKind::outlet;
  CHECK_THROWS_WITH(flow_in_box(Grid{8, 8}, from_below), ContainsSubstring("inflow in the south"));
}

// Only on these grids its cells are symmetric about its axis: on 331x62 the lift has the wrong sign.
TEST_CASE("suggested grids for the cylinder are multiples of 41 high, and other heights give a warning",
          "[flow][body]") {
  const FlowProblemDescription& cylinder = *find_flow_problem("cylinder");
  CHECK(grid_of_units(220 * 1.505, 41 * 1.505, cylinder.grid_unit) == "440x82");
  CHECK(grid_of_units(220, 41, cylinder.grid_unit) == "220x41");
  CHECK(grid_of_units(96.5, 24, {1, 1}) == "97x24");
  CHECK_THROWS_WITH(posed_flow("cylinder", {40, 41}), ContainsSubstring("--grid 220x41"));
  CHECK_THAT(grid_warning(cylinder, {331, 62}),
             ContainsSubstring("cylinder on 331x62: ") && ContainsSubstring("such as --grid 440x82"));
  CHECK(grid_warning(cylinder, {220, 41}).empty());
  CHECK(grid_warning(cylinder, {300, 82}).empty());
  CHECK(grid_warning(*find_flow_problem("tunnel"), {331, 62}).empty());
}
