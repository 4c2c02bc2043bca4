// Vortex centres of known stream functions.
#include "solvers/problems/vortices.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include "solvers/problems/flow_problem.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

using Psi = std::function<double(double x, double y)>;

StreamFunction sampled(int nx, int ny, const Psi& psi) {
  StreamFunction all{nx, ny, 1.0 / nx, 1.0 / ny, {}};
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) all.values.push_back(psi(i * all.dx, j * all.dy));
  return all;
}
CornerRange inside(int cells) { return {1, cells - 1}; }

// A slanted quadratic bowl whose axes are not aligned with the grid.
double bowl(double x, double y) {
  const double a = x - 0.4321, b = y - 0.6543;
  return 3 * a * a + 2 * b * b + 1.5 * a * b - 0.7;
}
// Maximum (4/27)^2 at (2/3, 1/3); 0 along all sides.
double hill(double x, double y) { return x * x * (1 - x) * y * (1 - y) * (1 - y); }

TEST_CASE("a vortex centre is exact if the stream function is quadratic") {
  const auto found = clockwise_vortex(sampled(16, 12, bowl), inside(16), inside(12));
  REQUIRE(found);
  CHECK(found->x == Approx(0.4321).epsilon(1e-12));
  CHECK(found->y == Approx(0.6543).epsilon(1e-12));
  CHECK(found->psi == Approx(-0.7).epsilon(1e-12));
}

TEST_CASE("a reversed stream function gives a vortex of the other sense") {
  const StreamFunction psi = sampled(16, 12, [](double x, double y) { return -bowl(x, y); });
  const auto found = counterclockwise_vortex(psi, inside(16), inside(12));
  REQUIRE(found);
  CHECK(found->x == Approx(0.4321).epsilon(1e-12));
  CHECK(found->psi == Approx(0.7).epsilon(1e-12));
}

TEST_CASE("in general the centre is second order and its stream function third order") {
  double place[2], value[2];
  for (const int n : {0, 1}) {
    const int cells = n == 0 ? 20 : 40;
    const auto found = counterclockwise_vortex(sampled(cells, cells, hill), inside(cells), inside(cells));
    REQUIRE(found);
    place[n] = std::hypot(found->x - 2.0 / 3, found->y - 1.0 / 3);
    value[n] = std::abs(found->psi - std::pow(4.0 / 27, 2));
  }
  CHECK(std::log2(place[0] / place[1]) == Approx(2).epsilon(0.05));
  CHECK(std::log2(value[0] / value[1]) > 2.9);
}

TEST_CASE("two vortices are distinguished by sense and by the part of the box") {
  const StreamFunction psi = sampled(24, 10, [](double x, double y) {
    return std::sin(2 * std::numbers::pi * x) * std::sin(std::numbers::pi * y);
  });
  const auto west = counterclockwise_vortex(psi, inside(24), inside(10)),
             east = clockwise_vortex(psi, inside(24), inside(10));
  REQUIRE(west);
  REQUIRE(east);
  CHECK(west->x == Approx(0.25));
  CHECK(east->x == Approx(0.75));
  CHECK(east->y == Approx(0.5));
  CHECK_FALSE(clockwise_vortex(psi, {1, 11}, inside(10)));          // psi > 0 there
  CHECK_FALSE(counterclockwise_vortex(psi, {13, 23}, inside(10)));  // psi < 0 there
  CHECK_FALSE(counterclockwise_vortex(psi, {8, 23}, inside(10)));   // psi increases to the west
}

// Four extrema in a square of two by two half waves, twice as high in the upper half.
TEST_CASE("all centres are found, strongest first, and weak ones are omitted") {
  const auto psi = sampled(32, 32, [](double x, double y) {
    return (y > 0.5 ? -2 : 1) * std::sin(2 * std::numbers::pi * x) * std::sin(2 * std::numbers::pi * y);
  });
  const auto all = vortex_centres(psi, 0.01);
  REQUIRE(all.size() == 4);
  CHECK(all[0].psi * all[1].psi < 0);
  CHECK(std::abs(all[0].psi) == Approx(2));
  CHECK(all[0].y == Approx(0.75));
  CHECK(std::abs(all[3].psi) == Approx(1));
  CHECK(all[3].y == Approx(0.25));
  CHECK(vortex_centres(psi, 0.6).size() == 2);
}

// In a channel psi is positive everywhere, whatever the sense of rotation.
TEST_CASE("the vorticity gives the sense of a vortex, whatever the sign of the stream function") {
  for (const double shift : {-2.0, 2.0}) {
    INFO(shift);
    const auto least =
        vortex_centres(sampled(16, 12, [=](double x, double y) { return bowl(x, y) + shift; }), 0);
    REQUIRE(least.size() == 1);
    CHECK(least[0].is_clockwise());
    CHECK(least[0].vorticity == Approx(-10));  // from 3 x^2 + 2 y^2 + ..
    const auto most =
        vortex_centres(sampled(16, 12, [=](double x, double y) { return shift - bowl(x, y); }), 0);
    REQUIRE(most.size() == 1);
    CHECK_FALSE(most[0].is_clockwise());
  }
}

TEST_CASE("a centre between four equal corners counts once") {
  const auto psi = sampled(9, 9, [](double x, double y) { return x * (1 - x) * y * (1 - y); });
  const auto all = vortex_centres(psi, 1e-5);
  REQUIRE(all.size() == 1);
  CHECK(all[0].x == Approx(0.5).margin(0.01));
  CHECK(all[0].y == Approx(0.5).margin(0.01));
}

// A hill whose top is flat up to rounding, as on a body.
TEST_CASE("rounding on the surface of a body gives no centre") {
  const auto psi = sampled(16, 16, [](double x, double y) {
    const double hill = std::min(0.1, x * (1 - x) * y * (1 - y) * 4);
    return hill == 0.1 ? hill + 1e-12 * std::sin(37 * x + 51 * y) : hill;
  });
  CHECK(vortex_centres(psi, 1e-5).size() > 1);
  const auto is_solid = [&](int i, int j) {
    for (const int dj : {0, 1})
      for (const int di : {0, 1})
        if (psi.at(i + di, j + dj) < 0.0999) return false;
    return true;
  };
  CHECK(vortex_centres(psi, 1e-5, is_solid).empty());
}

TEST_CASE("a fluid at rest has no vortex") {
  CHECK(vortex_centres(sampled(8, 8, [](double, double) { return 0.0; }), 1e-5).empty());
  const StreamFunction psi = sampled(8, 8, [](double, double) { return 0.0; });
  CHECK_FALSE(clockwise_vortex(psi, inside(8), inside(8)));
  CHECK_FALSE(counterclockwise_vortex(psi, inside(8), inside(8)));
}

TEST_CASE("integrating the mass flows reproduces the stream function") {
  const Grid grid(12, 9);
  const FluidCell cell{.dx = 1.0 / 12, .dy = 1.0 / 9, .density = 2.5};
  HostField mass(Grid(13, 9), Precision::fp64);
  const auto corner = [&](int i, int j) { return hill(i * cell.dx, j * cell.dy); };
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i <= 12; ++i) mass.set(i, j, 0, cell.density * (corner(i, j + 1) - corner(i, j)));
  const StreamFunction psi = stream_function(grid, cell, mass);
  for (int j = 0; j <= 9; ++j)
    for (int i = 0; i <= 12; ++i) CHECK(std::abs(psi.at(i, j) - corner(i, j)) < 1e-15);
}

TEST_CASE("a cavity at rest has no vortex, and one that rotates as a whole has one and no eddies") {
  const auto problem = make_flow_problem(*find_flow_problem("cavity"), Grid(16, 16));
  FlowFields flow = problem.start;
  const auto value = [&](const std::string& name) -> std::optional<double> {
    for (const NamedValue& one : flow_results(problem, flow))
      if (one.name == name) return one.value;
    return {};
  };
  CHECK(!value("vortex_x"));
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i <= 16; ++i)
      flow.mass_x.set(i, j, 0, hill(i / 16.0, j / 16.0) - hill(i / 16.0, (j + 1) / 16.0));
  REQUIRE(value("vortex_x"));
  CHECK(*value("vortex_x") == Approx(2.0 / 3).epsilon(0.01));
  CHECK(*value("vortex_y") == Approx(1.0 / 3).epsilon(0.01));
  CHECK(*value("vortex_psi") == Approx(-std::pow(4.0 / 27, 2)).epsilon(0.01));
  CHECK(!value("left_eddy_x"));
  CHECK(!value("right_eddy_x"));
}

}  // namespace
