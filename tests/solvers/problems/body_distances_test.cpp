// True distances from cells to the body of a flow.
#include <cmath>
#include <fstream>
#include <numbers>

#include "kernels/core/wall_distances.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/problems/posed_flow.hpp"

using namespace cfdmark;

namespace {

WallDistances at(const FlowProblem& problem, int i, int j) { return {int(problem.wall_distances.get(i, j))}; }
CellFaces faces(const FlowProblem& problem, int i, int j) { return {int(problem.faces.get(i, j))}; }

// Calls f(i, j, side, di, dj) for each face between a fluid cell and the body.
template <class F>
int for_each_body_face(const FlowProblem& problem, const F& f) {
  constexpr int towards[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  int found = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    if (faces(problem, i, j).is_solid()) return;
    for (int side = 0; side < 4; ++side)
      if (const auto [di, dj] = towards[side]; faces(problem, i + di, j + dj).is_body())
        f(i, j, side, di, dj), ++found;
  });
  return found;
}

DrawnBody polygon_of(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = folder / "body.txt";
  std::ofstream(file) << text;
  return read_polygon(file);
}

Config tunnel_settings(const Config& given) {
  return TuningSpace{find_flow_problem("tunnel")->settings}.complete(given);
}

}  // namespace

TEST_CASE("distances to a circle are those of its equation, to half a 64th of a cell", "[flow][walls]") {
  const FlowProblem problem = flow_with("tunnel", {128, 64}, {{"diameter", 0.25}, {"surface", "distances"}});
  const int found = for_each_body_face(problem, [&](int i, int j, int side, int di, int dj) {
    const Centre from(problem.cell, i, j);
    const double x = from.x - 1, y = from.y - 0.5, r = 0.125;
    const double away = di != 0 ? (std::abs(x) - std::sqrt(r * r - y * y)) / problem.cell.dx
                                : (std::abs(y) - std::sqrt(r * r - x * x)) / problem.cell.dy;
    CHECK(std::abs(at(problem, i, j).parts(side) - 64 * away) < 0.5 + 1e-6);
    (void)dj;
  });
  CHECK(found == 2 * (16 + 8));  // rows and columns of cells across the circle, two faces each
}

TEST_CASE("cells away from the body, and problems of staircases, have no distances", "[flow][walls]") {
  const FlowProblem problem = flow_with("tunnel", {128, 32}, {{"diameter", 0.25}, {"surface", "distances"}});
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    if (std::hypot((i + 0.5) / 32 - 1, (j + 0.5) / 32 - 0.5) > 0.2) REQUIRE(at(problem, i, j).code == 0);
  });
  CHECK_FALSE(flow_with("tunnel", {128, 32}, {{"diameter", 0.25}}).has_wall_distances);
}

TEST_CASE("the distances of a body that is symmetric about the axis are symmetric", "[flow][walls]") {
  const FlowProblem problem = flow_with("cylinder", {220, 41}, {{"surface", "distances"}});
  // The axis is in the middle between rows 19 and 20.
  for_each_body_face(problem, [&](int i, int j, int side, int, int) {
    const int mirrored = side < 2 ? side : 5 - side;
    CHECK(at(problem, i, j).parts(side) == at(problem, i, 39 - j).parts(mirrored));
  });
}

TEST_CASE("distances reach a body through a periodic side", "[flow][walls]") {
  FlowBox box{.periodic_x = true, .wall_distances = true};
  box.is_body = [](double x, double) { return x > 0.8; };  // between the cells 5 and 6
  box.periodic_y = true;
  const FlowProblem problem = flow_in_box(Grid{8, 8}, box);
  CHECK(at(problem, 5, 2).parts(1) == 58);  // from 0.6875 to 0.8: 0.9 of a cell
  CHECK(at(problem, 0, 2).parts(0) == 32);  // from 0.0625 to the side of the box
}

TEST_CASE("a polygon has true distances and can be scaled to an area", "[flow][walls]") {
  const Grid g{80, 20};
  const DrawnBody body = polygon_of("0.81 0.31\n1.21 0.31\n1.21 0.69\n0.81 0.69\n");
  const FlowProblem problem = tunnel_around(body, g, tunnel_settings({{"surface", "distances"}}));
  // Cells are 0.05: the front is 0.01 from the side of a cell.
  CHECK(at(problem, 15, 10).parts(1) == 45);  // from 0.775 to 0.81: 0.7 of a cell
  CHECK(at(problem, 24, 10).parts(0) == 19);  // from 1.225 to 1.21
  const double area = 0.1;
  const FlowProblem scaled = tunnel_around(body, g, tunnel_settings({{"area", area}}));
  const double d = std::sqrt(4 * area / std::numbers::pi);
  CHECK(scaled.force_scale == Approx(d / 2));
  CHECK(scaled.cell.viscosity == Approx(d / 20));
  int cells = 0;
  for_each_cell(g, false, [&](int i, int j, int) { cells += faces(scaled, i, j).is_body(); });
  CHECK(cells * scaled.cell.volume() == Approx(area).epsilon(0.15));
  const DrawnBody high = polygon_of("0.9 0.31\n1.1 0.31\n1.1 0.69\n0.9 0.69\n");  // 1.07 for this area
  CHECK_THROWS_WITH(tunnel_around(high, g, tunnel_settings({{"area", 0.6}})),
                    ContainsSubstring("body.txt: ") && ContainsSubstring("outside the tunnel"));
}

TEST_CASE("an image has no outline: true distances and an area are errors", "[flow][walls][mask]") {
  Mask mask{"body.png", 40, 10, std::vector<char>(400)};
  for (int j = 3; j < 7; ++j)
    for (int i = 8; i < 12; ++i) mask.solid[std::size_t(j) * 40 + std::size_t(i)] = 1;
  const DrawnBody body = body_of(mask, {40, 10});
  CHECK_NOTHROW(tunnel_around(body, {40, 10}, tunnel_settings({})));
  CHECK_THROWS_WITH(tunnel_around(body, {40, 10}, tunnel_settings({{"surface", "distances"}})),
                    ContainsSubstring("body.png: an image has no outline") && ContainsSubstring("--polygon"));
  CHECK_THROWS_WITH(tunnel_around(body, {40, 10}, tunnel_settings({{"area", 0.1}})),
                    ContainsSubstring("body.png: an image cannot be scaled"));
}

TEST_CASE("bodies whose drag is known are compared with it, and drawn bodies are not", "[flow][walls]") {
  const Grid g{256, 128};
  const auto known = [&](const Config& settings) {
    const std::vector<PublishedValue> all = published_values(flow_with("tunnel", g, settings), 0);
    return all.empty() ? 0 : all.front().value;
  };
  CHECK(known({}) == 4.0854);
  CHECK(known({{"reynolds", 40.0}}) == 3.0257);
  CHECK(known({{"reynolds", 30.0}}) == 0);
  CHECK(known({{"shape", "rectangle"}}) == 0);
  CHECK(known({{"diameter", 0.25}}) == 0);
  CHECK(known({{"shape", "superellipse"}, {"exponent", 6.0}, {"aspect", 2.0}}) == 4.592);
  CHECK(known({{"shape", "superellipse"}, {"aspect", 5.0}, {"area", 0.012272}}) == 3.0499);
  CHECK(known({{"shape", "superellipse"}, {"aspect", 5.0}, {"area", 0.0125}}) == 0);
  const FlowProblem drawn =
      tunnel_around(polygon_of("0.8 0.3\n1.2 0.3\n1.2 0.7\n0.8 0.7\n"), g, tunnel_settings({}));
  CHECK(published_values(drawn, 0).empty());
}
