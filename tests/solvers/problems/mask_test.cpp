#include "solvers/problems/mask.hpp"

#include <fstream>

#include "solvers/problems/flow_problem.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Mask mask_of(const std::string& image) {
  const TemporaryFolder folder;
  const std::string file = folder / "body.pgm";
  std::ofstream(file, std::ios::binary) << image;
  return read_mask(file);
}

std::vector<char> raw_of(const std::string& head, std::initializer_list<int> bytes) {
  std::string image = head;
  for (int byte : bytes) image += char(byte);
  return mask_of(image).solid;
}

// Of a grid, as an image program would write it.
Mask drawn(const Grid& g, const std::function<bool(int i, int j)>& is_dark) {
  std::string image = "P2\n" + std::to_string(g.nx) + " " + std::to_string(g.ny) + "\n255\n";
  for (int j = g.ny - 1; j >= 0; --j)
    for (int i = 0; i < g.nx; ++i) image += is_dark(i, j) ? "0 " : "255 ";
  return mask_of(image);
}

}  // namespace

TEST_CASE("a plain image is read with its comments, from the top down, what is dark is solid", "[mask]") {
  const Mask mask = mask_of("P2 # by hand\n3 2 # wide, high\n100\n0 49 50\n# the lower row\n51 100 10\n");
  CHECK(mask.nx == 3);
  CHECK(mask.ny == 2);
  CHECK(mask.solid == std::vector<char>{0, 0, 1, 1, 1, 0});
  CHECK(mask.is_solid(2, 0));
  CHECK(mask.is_solid(0, 1));
  CHECK(mask.rows() == 2);
}

TEST_CASE("a raw image is read with one byte a pixel, or two, the higher first", "[mask]") {
  CHECK(raw_of("P5\n2 2\n255\n", {0, 127, 128, 255}) == std::vector<char>{0, 0, 1, 1});
  CHECK(raw_of("P5\n2 1\n65535\n", {0, 255, 255, 0}) == std::vector<char>{1, 0});
}

TEST_CASE("what is no image, or half of one, is refused with its file", "[mask]") {
  CHECK_THROWS_WITH(read_mask("/nowhere/body.pgm"), ContainsSubstring("/nowhere/body.pgm: cannot be read"));
  for (const auto& [image, complaint] : std::vector<std::pair<std::string, std::string>>{
           {"\x89PNG", "is no PGM image: it does not begin with P2 or P5"},
           {"P2\n2 2\n255\n0 0 0", "where a value is expected"},
           {"P2\n0 2\n255\n", "the width is 0: 1 to"},
           {"P2\n2 2\n255\n0 256 0 0", "the value is 256: 0 to 255"},
           {"P2\n2 two", "where a height is expected"},
           {"P5\n2 2\n255\nabc", "ends before its last pixel"}}) {
    INFO(image);
    CHECK_THROWS_WITH(mask_of(image), ContainsSubstring("body.pgm: ") && ContainsSubstring(complaint));
  }
}

TEST_CASE("a body that is drawn is the body of the tunnel that is computed", "[mask][flow]") {
  const Grid g{80, 20};
  const FlowProblem circle = make_flow_problem(*find_flow_problem("tunnel"), g, {{"diameter", 0.4}});
  const auto is_solid = [&](int i, int j) { return CellFaces{int(circle.faces.get(i, j))}.is_solid(); };
  const FlowProblem mine = masked_tunnel(drawn(g, is_solid), g);
  for_each_cell(g, false,
                [&](int i, int j, int) { REQUIRE(mine.faces.get(i, j) == circle.faces.get(i, j)); });
  CHECK(mine.cell.viscosity == Approx(circle.cell.viscosity));
  CHECK(mine.force_scale == Approx(circle.force_scale));
}

TEST_CASE("a body that does not fit is refused with the image's name", "[mask][flow]") {
  const Grid g{40, 10};
  const auto tunnel = [&](const std::function<bool(int, int)>& is_dark) {
    return masked_tunnel(drawn(g, is_dark), g);
  };
  CHECK_THROWS_WITH(
      masked_tunnel(drawn({20, 10}, [](int, int) { return false; }), g),
      ContainsSubstring("has 20x10 pixels, and the grid 40x10 cells") && ContainsSubstring("--grid 20x10"));
  CHECK_THROWS_WITH(tunnel([](int, int) { return false; }), ContainsSubstring("there is no body"));
  CHECK_THROWS_WITH(tunnel([](int i, int j) { return i == 9 && j == 5; }),
                    ContainsSubstring("1 cells across"));
  CHECK_THROWS_WITH(tunnel([](int i, int) { return i == 9; }), ContainsSubstring("cut"));
  CHECK_THROWS(tunnel([](int, int) { return true; }));
}
