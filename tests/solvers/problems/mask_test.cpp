#include "solvers/problems/drawn_body.hpp"

#include <fstream>

#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/problems/posed_flow.hpp"

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

// Returns a grid as a plain image, in the order of image programs.
Mask drawn(const Grid& g, const std::function<bool(int i, int j)>& is_dark) {
  std::string image = "P2\n" + std::to_string(g.nx) + " " + std::to_string(g.ny) + "\n255\n";
  for (int j = g.ny - 1; j >= 0; --j)
    for (int i = 0; i < g.nx; ++i) image += is_dark(i, j) ? "0 " : "255 ";
  return mask_of(image);
}

}  // namespace

TEST_CASE("a plain image is read with comments from the top down, and dark pixels are solid", "[mask]") {
  const Mask mask = mask_of("P2 # by hand\n3 2 # wide, high\n100\n0 49 50\n# the lower row\n51 100 10\n");
  CHECK(mask.nx == 3);
  CHECK(mask.ny == 2);
  CHECK(mask.solid == std::vector<char>{0, 0, 1, 1, 1, 0});
  CHECK(mask.is_solid(2, 0));
  CHECK(mask.is_solid(0, 1));
  CHECK(mask.rows() == 2);
  CHECK(mask.columns() == 3);
}

TEST_CASE("a raw image has one byte per pixel, or two with the higher one first", "[mask]") {
  CHECK(raw_of("P5\n2 2\n255\n", {0, 127, 128, 255}) == std::vector<char>{0, 0, 1, 1});
  CHECK(raw_of("P5\n2 1\n65535\n", {0, 255, 255, 0}) == std::vector<char>{1, 0});
}

TEST_CASE("a file that is no image, or a truncated one, is an error that names the file", "[mask]") {
  CHECK_THROWS_WITH(read_mask("/nowhere/body.pgm"), ContainsSubstring("/nowhere/body.pgm: cannot be read"));
  for (const auto& [image, complaint] : std::vector<std::pair<std::string, std::string>>{
           {"GIF89a", ": is neither a PNG nor a PGM image"},
           {"P2\n2 2\n255\n0 0 0 x", ":4: expected a number for the value"},
           {"P2\n0 2\n255\n", ":2: the width is 0"},
           {"P2\n# by hand\n2 2\n255\n\n0 0\n256 0", ":7: the value is 256"},
           {"P2\n2 two", ":2: expected a number for the height"},
           {"P2\n2 2\n255\n0 0", ": is truncated: the header declares 2x2 pixels"},
           {"P5\n2 2\n255\nabc", ": is truncated: the header declares 2x2 pixels, but 14 bytes"},
           {"P5\n2 2\n65535\nabcdefg", ": is truncated"},
           {"P5 100000 100000 255\n", ": is truncated: the header declares 100000x100000"}}) {
    INFO(image);
    CHECK_THROWS_WITH(mask_of(image), ContainsSubstring("body.pgm" + complaint));
  }
}

TEST_CASE("a drawn body equals the computed body of the tunnel", "[mask][flow]") {
  const Grid g{80, 20};
  const FlowProblem circle = flow_with("tunnel", g, {{"diameter", 0.4}});
  const auto is_solid = [&](int i, int j) { return CellFaces{int(circle.faces.get(i, j))}.is_solid(); };
  const FlowProblem mine = default_tunnel_around(body_of(drawn(g, is_solid), g), g);
  for_each_cell(g, false,
                [&](int i, int j, int) { REQUIRE(mine.faces.get(i, j) == circle.faces.get(i, j)); });
  CHECK(mine.cell.viscosity == Approx(circle.cell.viscosity));
  CHECK(mine.force_scale == Approx(circle.force_scale));
}

TEST_CASE("a body that does not fit is an error that names the image", "[mask][flow]") {
  const Grid g{40, 10};
  const auto tunnel = [&](const std::function<bool(int, int)>& is_dark) {
    return default_tunnel_around(body_of(drawn(g, is_dark), g), g);
  };
  CHECK_THROWS_WITH(body_of(drawn({20, 10}, [](int, int) { return false; }), g),
                    ContainsSubstring("20x10 pixels") && ContainsSubstring("40x10 cells") &&
                        ContainsSubstring("--grid 20x10"));
  CHECK_THROWS_WITH(tunnel([](int, int) { return false; }),
                    ContainsSubstring("body.pgm: ") && ContainsSubstring("no solid cells"));
  CHECK_THROWS_WITH(tunnel([](int i, int j) { return i == 9 && j == 5; }),
                    ContainsSubstring("1 cells across"));
  CHECK_THROWS_WITH(tunnel([](int i, int j) { return i == 9 && j > 2 && j < 8; }),
                    ContainsSubstring("body.pgm: the body is 1 cells long and 5 cells across on 40x10") &&
                        ContainsSubstring("160x40"));
  CHECK_THROWS_WITH(tunnel([](int i, int) { return i >= 9 && i < 13; }),
                    ContainsSubstring("body.pgm: ") && ContainsSubstring("leave a way around it"));
  CHECK_THROWS_WITH(tunnel([](int, int) { return true; }),
                    ContainsSubstring("body.pgm: ") && ContainsSubstring("make it smaller"));
  CHECK_THROWS_WITH(tunnel([](int i, int) { return i < 4; }),
                    ContainsSubstring("body.pgm: ") && ContainsSubstring("inflow in the west"));
  CHECK_THROWS_WITH(tunnel([](int i, int) { return i >= 36; }),
                    ContainsSubstring("body.pgm: ") && ContainsSubstring("outlet in the east"));
  CHECK_NOTHROW(tunnel([](int i, int j) { return i < 4 && j < 9; }));
}

TEST_CASE("pixels are square: the shape of an image sets the length of the tunnel", "[mask][flow]") {
  const Grid g{40, 20};
  const auto is_dark = [](int i, int j) { return i >= 8 && i < 14 && j >= 6 && j < 14; };
  const DrawnBody body = body_of(drawn(g, is_dark), g);
  CHECK(body.tunnel_length == 2);
  CHECK(body.length == Approx(0.3));
  CHECK(body.diameter == Approx(0.4));
  const FlowProblem tunnel = default_tunnel_around(body, g);
  CHECK(tunnel.cell.dx == Approx(0.05));
  CHECK(tunnel.cell.dy == Approx(0.05));
  for_each_cell(g, false, [&](int i, int j, int) {
    REQUIRE(CellFaces{int(tunnel.faces.get(i, j))}.is_solid() == is_dark(i, j));
  });
}

TEST_CASE("an unaccepted size is an error before the pixels are read", "[mask]") {
  const TemporaryFolder folder;
  const std::string file = folder / "body.pgm";
  std::ofstream(file) << "P2\n2 1\n1\nno pixels";
  const ImageSizeCheck refuse = [](int nx, int ny) {
    throw std::invalid_argument(std::to_string(nx * 10 + ny));
  };
  CHECK_THROWS_WITH(read_mask(file, refuse), ContainsSubstring("21"));
}

TEST_CASE("a folder in place of an image is an error", "[mask]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_mask(folder / "."), ContainsSubstring("is a folder"));
}

#if CFDMARK_TESTS_HAVE_PNG
namespace {

// A grey image of 3 x 2 pixels, 0 127 128 above 255 0 200, and an image of a black and a transparent pixel.
const char* const grey_png =
    "89504e470d0a1a0a0000000d4948445200000003000000020800000000b81f39c6000000104944415478da6360a86f60"
    "f8cf700200094702c783c81f080000000049454e44ae426082";
const char* const transparent_png =
    "89504e470d0a1a0a0000000d4948445200000002000000010806000000f4227f8a0000000f4944415478da63606060f8"
    "0fc40c0005040100097ef4d50000000049454e44ae426082";
// A row of three pixels in 16 bits, and a 1-bit header that declares 65000 x 65000 pixels without any.
const char* const grey_16_png =
    "89504e470d0a1a0a0000000d49484452000000030000000110000000006e1b972b0000000f4944415478da637070a8af"
    "6f68000007c0027f26d1afab0000000049454e44ae426082";
const char* const huge_png =
    "89504e470d0a1a0a0000000d494844520000fde80000fde801000000008a2ce4a7000000094944415478da6300000001"
    "0001b10db6930000000049454e44ae426082";

Mask png_of(const std::string& digits) {
  std::string bytes;
  for (std::size_t n = 0; n < digits.size(); n += 2)
    bytes += char(std::stoi(digits.substr(n, 2), nullptr, 16));
  return mask_of(bytes);
}

}  // namespace

TEST_CASE("a PNG image is read like a PGM image, and transparent pixels are white", "[mask]") {
  const Mask grey = png_of(grey_png);
  CHECK(grey.nx == 3);
  CHECK(grey.ny == 2);
  CHECK(grey.solid == std::vector<char>{0, 1, 0, 1, 1, 0});
  CHECK(png_of(transparent_png).solid == std::vector<char>{1, 0});
  const std::string whole = grey_png;
  CHECK_THROWS_WITH(png_of(whole.substr(0, whole.size() / 2)), ContainsSubstring("body.pgm: "));
}

// Three pixels in 16 bits without a colour chunk: 64/255, 127/255 and 128/255.
TEST_CASE("a 16-bit PNG image equals the 8-bit image", "[mask]") {
  CHECK(png_of(grey_16_png).solid == std::vector<char>{1, 1, 0});
}

TEST_CASE("a PNG image that declares more pixels than its bytes can hold is an error", "[mask]") {
  CHECK_THROWS_WITH(png_of(huge_png), ContainsSubstring("65000x65000 pixels"));
}
#else
TEST_CASE("without libpng a PNG image is an error that says what to do", "[mask]") {
  CHECK_THROWS_WITH(mask_of("\x89PNG"), ContainsSubstring("libpng-dev") && ContainsSubstring("OUT.pgm"));
}
#endif
