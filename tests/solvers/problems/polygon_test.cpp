#include <cmath>
#include <fstream>

#include "solvers/problems/drawn_body.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/problems/posed_flow.hpp"

using namespace cfdmark;

namespace {

DrawnBody polygon_of(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = folder / "body.txt";
  std::ofstream(file) << text;
  return read_polygon(file);
}

}  // namespace

TEST_CASE("a polygon contains the points that its outline encloses an odd number of times", "[polygon]") {
  // Two edges end at the same height, and one corner points into the body.
  const DrawnBody arrow = polygon_of("# an arrow\n1 0.25\n\n2 0.5 # its point\n1 0.75\n1.25 0.5\n");
  CHECK(arrow.diameter == Approx(0.5));
  for (const auto& [x, y] : {std::pair{1.5, 0.5}, {1.26, 0.51}, {1.1, 0.7}, {1.1, 0.29}, {1.99, 0.5}})
    CHECK(arrow.is_solid(x, y));
  for (const auto& [x, y] :
       {std::pair{1.2, 0.5}, {1.24, 0.5}, {1.5, 0.7}, {2.01, 0.5}, {0.9, 0.25}, {1.1, 0.26}})
    CHECK_FALSE(arrow.is_solid(x, y));
}

TEST_CASE("a polygon of a square's corners equals the square of the tunnel", "[polygon][flow]") {
  const Grid g{80, 20};
  const FlowProblem square = flow_with("tunnel", g, {{"shape", "rectangle"}, {"diameter", 0.4}});
  const FlowProblem mine = default_tunnel_around(polygon_of("0.8 0.3\n1.2 0.3\n1.2 0.7\n0.8 0.7\n"), g);
  for_each_cell(g, false,
                [&](int i, int j, int) { REQUIRE(mine.faces.get(i, j) == square.faces.get(i, j)); });
  CHECK(mine.cell.viscosity == Approx(square.cell.viscosity));
  CHECK(mine.force_scale == Approx(square.force_scale));
}

TEST_CASE("an invalid polygon is an error with file and line", "[polygon]") {
  for (const auto& [text, complaint] :
       {std::pair{"1 0.5\n1 2 3\n", "body.txt:2: invalid corner '1 2 3'"},
        {"1 0.5\nhere\n", "body.txt:2: invalid corner 'here'"},
        {"1 nan\n", "body.txt:1: "},
        {"1 0.5x\n", "body.txt:1: "},
        {"1 0.5\n2 0.5\n", "body.txt: has 2 corners"},
        {"", "body.txt: has 0 corners"},
        {"1 0.5\n2 0.5\n3 0.5\n", "body.txt: all corners have y = 0.5"},
        {"1 0.5\n1 0.6\n1 0.7\n", "body.txt: all corners have x = 1"},
        {"1 0.5\n5 0.5\n3 0.7\n", "body.txt: corner 5 0.5 is outside the tunnel"}}) {
    INFO(text);
    CHECK_THROWS_WITH(polygon_of(text), ContainsSubstring(complaint));
  }
  CHECK_THROWS_WITH(read_polygon("/nowhere/body.txt"),
                    ContainsSubstring("/nowhere/body.txt: cannot be read"));
  CHECK_THROWS_WITH(default_tunnel_around(polygon_of("1 0.5\n1.1 0.5\n1 0.51\n"), {40, 10}),
                    ContainsSubstring("cells across"));
  CHECK_THROWS_WITH(default_tunnel_around(polygon_of("1 0.3\n1.01 0.5\n1 0.7\n"), {80, 20}),
                    ContainsSubstring("body.txt: the body is 0.2 cells long and 8 cells across"));
  // Long and high enough, but so thin that it contains no cell centre.
  CHECK_THROWS_WITH(default_tunnel_around(polygon_of("1.01 0.3\n1.41 0.7\n1.411 0.7\n1.011 0.3\n"), {80, 20}),
                    ContainsSubstring("body.txt: ") && ContainsSubstring("on 80x20"));
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_polygon(folder / "."), ContainsSubstring("is a folder"));
}
