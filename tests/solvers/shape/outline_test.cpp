// Outlines of bodies: areas, lengths and distances by hand, and the families of shapes.
#include "solvers/shape/outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "solvers/shape/constraints.hpp"
#include "solvers/shape/parametrisation.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr double circle_area = std::numbers::pi / 4;  // D = 1

double length_of(const Outline& outline) { return outline.high().x - outline.low().x; }
double height_of(const Outline& outline) { return outline.high().y - outline.low().y; }

const Outline triangle{{{1, 2}, {5, 2}, {1, 5}}};
const Outline square{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}};

}  // namespace

TEST_CASE("area, perimeter and centroid of polygons match hand calculations", "[shape]") {
  CHECK(triangle.area() == Approx(6));
  CHECK(triangle.perimeter() == Approx(12));
  CHECK(triangle.centroid().x == Approx(1 + 4.0 / 3));
  CHECK(triangle.centroid().y == Approx(3));
  // An L of three unit squares, clockwise.
  const Outline l{{{0, 0}, {0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}}};
  CHECK(l.area() == Approx(3));
  CHECK(l.perimeter() == Approx(8));
  CHECK(l.centroid().x == Approx((0.5 + 0.5 + 1.5) / 3));
  CHECK(l.contains(0.5, 1.5));
  CHECK_FALSE(l.contains(1.5, 1.5));
}

TEST_CASE("distances to an outline match hand calculations", "[shape]") {
  CHECK(distance_to(square, {0.5, 1.75}) == Approx(0.75));
  CHECK(distance_to(square, {4, 5}) == Approx(5));  // from the corner (1, 1)
  CHECK(distance_to(square, {0.5, 0.25}) == Approx(0.25));
  const Outline circle = outline_of_text("superellipse", circle_area);
  for (const double r : {0.1, 0.5, 0.9})
    CHECK(distance_to(circle, {0.6 * r, -0.8 * r}) == Approx(std::abs(0.5 - r)).margin(1e-5));
}

TEST_CASE("every parametrisation keeps the area and the centroid, whatever its parameters", "[shape]") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, 0.2);
  for (const Parametrisation& shape : parametrisation_table()) {
    INFO(shape.name);
    for (int n = 0; n < 50; ++n) {
      std::vector<double> values;
      for (const ShapeParameter& parameter : shape.parameters)
        values.push_back(parameter.name == "place" ? 0.4 : parameter.start + 0.3 * normal(random));
      const Outline outline = shape.outline(values, 0.0122718);
      CHECK(outline.area() == Approx(0.0122718).epsilon(1e-12));
      CHECK(std::abs(outline.centroid().x) < 1e-12);
      CHECK(std::abs(outline.centroid().y) < 1e-12);
    }
  }
}

TEST_CASE("a sine outline of one term is the ellipse of its length", "[shape]") {
  const Outline ellipse = outline_of_text("sine ln_length=0.6931471805599453", circle_area);
  CHECK(length_of(ellipse) == Approx(2).epsilon(1e-5));
  CHECK(height_of(ellipse) == Approx(0.5).epsilon(1e-5));
  // Half axes 1 and 1/4.
  CHECK(ellipse.contains(0.6, 0.199));
  CHECK_FALSE(ellipse.contains(0.6, 0.201));
}

TEST_CASE("the terms of a sine outline do not change its area before it is scaled", "[shape]") {
  const Parametrisation& sine = find_parametrisation("sine");
  std::vector<double> values(sine.parameters.size(), 0);
  values[0] = 0.5, values[1] = -0.2, values[2] = 0.15, values[4] = 0.1, values[7] = 0.3;
  CHECK(Outline{sine.curve(values)}.area() == Approx(circle_area).epsilon(1e-5));
  // A camber of c1 = 1 bends the middle line: the lower side of an ellipse becomes straight.
  const Outline bent = outline_of_text("sine c1=1", circle_area);
  CHECK(bent.low().y ==
        Approx(-4 / (3 * std::numbers::pi)).epsilon(1e-3));  // a half disc's centroid, a = b = 1/2
}

// Length and thickness of the known optima, by finite elements.
TEST_CASE("the known bodies of least drag have their length and thickness", "[shape]") {
  const Outline best = outline_of_text(
      "sine ln_length=0.8312 b2=-0.00682 b3=-0.06830 b4=0.01239 b5=-0.02120 b6=-0.00037 b7=-0.00832",
      circle_area);
  CHECK(length_of(best) == Approx(2.30).margin(0.005));
  CHECK(height_of(best) == Approx(0.46).margin(0.005));
}

TEST_CASE("superellipses have the perimeters of diamond, circle and ellipse", "[shape]") {
  const double ln_two = std::numbers::ln2;
  const auto perimeter = [](double ln_aspect, double ln_n) {
    return find_parametrisation("superellipse").outline({ln_aspect, ln_n, 0}, 1).perimeter();
  };
  CHECK(perimeter(0, 0) == Approx(4));                        // a square on its tip
  CHECK(perimeter(ln_two, 0) == Approx(2 * std::sqrt(5.0)));  // half diagonals 1 and 1/2
  CHECK(perimeter(0, ln_two) == Approx(2 * std::sqrt(std::numbers::pi)).epsilon(1e-5));
  // Half axes 2 and 1: 9.688448 by the complete elliptic integral.
  CHECK(perimeter(ln_two, ln_two) ==
        Approx(9.688448220547675 / std::sqrt(2 * std::numbers::pi)).epsilon(1e-5));
  const Outline nearly_square = find_parametrisation("superellipse").outline({0, std::log(64.0), 0}, 1);
  CHECK(length_of(nearly_square) == Approx(1).epsilon(0.01));
  CHECK(nearly_square.contains(0.48, 0.48));
}

TEST_CASE("a Fourier outline has the radii of its series", "[shape]") {
  const Outline oval = outline_of_text("fourier a2=0.25", circle_area);
  CHECK(length_of(oval) / height_of(oval) == Approx(std::exp(0.5)).epsilon(1e-5));
  std::vector<double> first_sine(9, 0);
  first_sine[4] = 0.3;
  const std::vector<PlanePoint> egg = find_parametrisation("fourier").curve(first_sine);
  CHECK(egg[egg.size() / 4].y == Approx(std::exp(0.3)));
  CHECK(egg[3 * egg.size() / 4].y == Approx(-std::exp(-0.3)));
  CHECK(egg[0].x == Approx(1));
}

TEST_CASE("four-digit sections have their thickness, camber and area", "[shape]") {
  // 0.0822 of the squared chord, the integral of twice the thickness; the largest is at 30 % of the chord.
  const double area_of_0012 = 1.2 * (2 * 0.2969 / 3 - 0.1260 / 2 - 0.3516 / 3 + 0.2843 / 4 - 0.1015 / 5);
  const Outline symmetric = outline_of_text("naca4 camber=0", area_of_0012);
  CHECK(length_of(symmetric) == Approx(1).epsilon(1e-4));
  CHECK(height_of(symmetric) == Approx(0.12).epsilon(1e-3));
  // The upper side of the section 2412 (Abbott and von Doenhoff 1959, appendix III), in per cent.
  const std::vector<PlanePoint> curve = find_parametrisation("naca4").curve({0.02, 0.4, 0.12, 0});
  for (const auto& [x, y] : {std::pair{0.1, 0.0563}, {0.3, 0.0788}, {0.4, 0.0780}, {0.6, 0.0636}}) {
    INFO(x);
    const auto behind =
        std::find_if(curve.begin(), curve.end(), [&, x = x](const PlanePoint& p) { return p.x < x; });
    const auto before = behind - 1;
    CHECK(before->y + (x - before->x) / (behind->x - before->x) * (behind->y - before->y) ==
          Approx(y).margin(1e-4));
  }
  CHECK_THROWS_WITH(outline_of_text("naca4 place=1", 1), ContainsSubstring("place 1"));
}

TEST_CASE("a positive angle raises the nose", "[shape]") {
  const Outline level = outline_of_text("sine ln_length=0.7", circle_area),
                raised = outline_of_text("sine ln_length=0.7 angle=15", circle_area);
  const auto nose = std::min_element(raised.corners.begin(), raised.corners.end(),
                                     [](const PlanePoint& a, const PlanePoint& b) { return a.x < b.x; });
  CHECK(nose->y > 0.1);
  CHECK(raised.area() == Approx(level.area()));
  CHECK(raised.perimeter() == Approx(level.perimeter()));
}

TEST_CASE("an invalid outline is an error that names the outline and the parameter", "[shape]") {
  CHECK_THROWS_WITH(outline_of_text("", 1),
                    ContainsSubstring("sine, superellipse, fourier, bezier, naca4, polygon, mask"));
  CHECK_THROWS_WITH(outline_of_text("spline", 1), ContainsSubstring("unknown outline 'spline'"));
  CHECK_THROWS_WITH(outline_of_text("sine b9=1", 1), ContainsSubstring("sine: invalid parameter 'b9=1'"));
  CHECK_THROWS_WITH(outline_of_text("sine b2=x", 1), ContainsSubstring("'b2=x' has no number; write b2="));
  CHECK_THROWS_WITH(outline_of_text("sine b2=nan", 1), ContainsSubstring("b2"));
  CHECK_THROWS_WITH(outline_of_text("sine ln_length=1e308", 1), ContainsSubstring("sine: "));
  CHECK_THROWS_WITH(find_parametrisation("superellipse").outline({0, 0}, 1),
                    ContainsSubstring("3 parameters"));
  CHECK_THROWS_WITH(scaled_to_area({{{0, 0}, {1, 1}, {2, 2}}}, 1), ContainsSubstring("no area"));
}

TEST_CASE("any parameters give a finite outline or an error", "[shape]") {
  std::mt19937 random(2);
  std::cauchy_distribution<double> wild(0, 3);
  int outlines = 0;
  for (const Parametrisation& shape : parametrisation_table())
    for (int n = 0; n < 500; ++n) {
      std::vector<double> values;
      for (std::size_t p = 0; p < shape.parameters.size(); ++p) values.push_back(wild(random));
      try {
        const Outline outline = shape.outline(values, 0.01);
        CHECK(std::isfinite(outline.perimeter()));
        CHECK(outline.area() == Approx(0.01).epsilon(1e-6));
        ++outlines;
      } catch (const std::invalid_argument& refused) {
        CHECK_THAT(refused.what(), ContainsSubstring(shape.name));
      }
    }
  CHECK(outlines > 500);
}

TEST_CASE("an outline that crosses itself is found, one that only bends is not", "[shape]") {
  CHECK(crosses_itself({{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}));
  CHECK_FALSE(crosses_itself(square));
  CHECK_FALSE(crosses_itself({{{0, 0}, {0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}}}));
  // A half thickness below 0 near the rear: sin t + 0.8 sin 2t is negative where cos t < -0.625.
  CHECK(crosses_itself(outline_of_text("sine b2=0.8", circle_area)));
  CHECK_FALSE(crosses_itself(outline_of_text("sine b2=0.4", circle_area)));
}

TEST_CASE("the least thickness excludes the tips", "[shape]") {
  // An ellipse at 10 % of its length: y = 0.6 b.
  CHECK(least_thickness(outline_of_text("superellipse", circle_area)) == Approx(0.6).epsilon(1e-4));
  CHECK(least_thickness({{{0, 0}, {2, 0}, {2, 1}, {0, 1}}}) == Approx(1));
  // A waist of 0.2.
  CHECK(least_thickness({{{0, 0}, {1, 0.4}, {2, 0}, {2, 1}, {1, 0.6}, {0, 1}}}) == Approx(0.2));
}

TEST_CASE("violated constraints are named, with the length by which they are", "[shape]") {
  const ShapeConstraints box{{-1, -1}, {1, 1}};
  CHECK(violations(outline_of_text("sine", circle_area), box).empty());
  const auto only = [](const std::vector<Violation>& all) {
    REQUIRE(all.size() == 1);
    return all.front();
  };
  const Violation too_long = only(violations({{{0, 0}, {1.5, 0}, {1.5, 0.5}, {0, 0.5}}}, box));
  CHECK(too_long.constraint == "bounds");
  CHECK(too_long.by == Approx(0.5));
  const Violation too_thin =
      only(violations({{{0, 0}, {1, 0}, {1, 0.25}, {0, 0.25}}}, {{-1, -1}, {1, 1}, 0.3}));
  CHECK(too_thin.constraint == "thickness");
  CHECK(too_thin.by == Approx(0.05));
  CHECK(only(violations({{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}, {{-1, -1}, {2, 2}})).constraint == "simple");
}

TEST_CASE("a frame must lie inside the outline", "[shape]") {
  const auto outside = [](const Outline& outline, const Outline& frame) {
    const std::vector<Violation> all = violations(outline, {{-9, -9}, {9, 9}, 0, frame});
    return all.empty() ? 0.0 : all.front().by;
  };
  const Outline frame{{{0.25, 0.25}, {0.75, 0.25}, {0.75, 0.75}, {0.25, 0.75}}};
  CHECK(outside(square, frame) == 0);
  CHECK(outside(frame, square) == Approx(std::hypot(0.25, 0.25)));
  CHECK(outside(square, {{{0.5, 0.25}, {1.5, 0.25}, {1.5, 0.75}, {0.5, 0.75}}}) == Approx(0.5));
  // A notch of the outline reaches into the frame, whose corners are all inside.
  CHECK(outside({{{0, 0}, {1, 0}, {1, 1}, {0.5, 0.5}, {0, 1}}},
                {{{0.3, 0.2}, {0.7, 0.2}, {0.7, 0.6}, {0.3, 0.6}}}) == Approx(0.1));
}

TEST_CASE("a polygon outline starts as a regular octagon and follows its corners", "[shape]") {
  const Outline octagon = outline_of_text("polygon", circle_area);
  // 16 R^2 / 2 sin(pi/4) of the area, 16 R sin(pi/8) around.
  const double radius = std::sqrt(circle_area / (4 * std::sin(std::numbers::pi / 4)));
  CHECK(octagon.perimeter() == Approx(16 * radius * std::sin(std::numbers::pi / 8)));
  const Outline longer = outline_of_text("polygon x1=2", circle_area);
  CHECK(length_of(longer) / height_of(longer) == Approx(1.5));  // from -1 to 2, from -1 to 1
}

TEST_CASE("a Bezier outline of equal corners is a circle to 0.1 %, and without edges a hexagon", "[shape]") {
  const Outline round = outline_of_text("bezier", circle_area);
  CHECK(round.perimeter() == Approx(std::numbers::pi).epsilon(1e-4));
  for (const PlanePoint& corner : round.corners)
    CHECK(std::hypot(corner.x, corner.y) == Approx(0.5).epsilon(1e-3));
  const Outline hexagon = outline_of_text("bezier edge=0", circle_area);
  // Side a with area 3 sqrt(3) a^2 / 2.
  CHECK(hexagon.perimeter() == Approx(6 * std::sqrt(2 * circle_area / (3 * std::sqrt(3.0)))));
  const Outline egg = outline_of_text("bezier r1=0.5", circle_area);
  CHECK(length_of(egg) > height_of(egg));
}

namespace {

// The text of a mask with these cells (column, row) alone.
Outline mask_of(const std::vector<std::pair<int, int>>& solid) {
  const Parametrisation& mask = find_parametrisation("mask");
  std::vector<double> values(mask.parameters.size(), -1);
  values.back() = 0;
  for (const auto& [column, row] : solid) values[std::size_t(row * 10 + column)] = 1;
  return {mask.curve(values)};
}

}  // namespace

TEST_CASE("a mask is the boundary of its cells", "[shape]") {
  const Outline l = mask_of({{3, 1}, {3, 2}, {4, 1}});
  CHECK(l.area() == 3);
  CHECK(l.perimeter() == 8);
  CHECK(l.contains(3.5, 2.5));
  CHECK_FALSE(l.contains(4.5, 2.5));
  CHECK((l.low().x == 3 && l.low().y == 1 && l.high().x == 5 && l.high().y == 3));
  CHECK_FALSE(crosses_itself(l));
}

TEST_CASE("a mask is its largest part that is connected by sides, with its holes filled", "[shape]") {
  // A ring of eight cells, and two cells that touch nothing.
  std::vector<std::pair<int, int>> cells = {{8, 0}, {8, 1}};
  for (int n = 0; n < 9; ++n)
    if (n != 4) cells.emplace_back(2 + n % 3, 1 + n / 3);
  CHECK(mask_of(cells).area() == 9);
  // Cells that touch only at a corner are two parts; the first is taken.
  const Outline corner = mask_of({{2, 2}, {3, 3}});
  CHECK(corner.area() == 1);
  CHECK(corner.contains(2.5, 2.5));
  CHECK_THROWS_WITH(mask_of({}), ContainsSubstring("no cell is solid"));
}

TEST_CASE("a mask starts as cells of an ellipse, symmetric in both axes", "[shape]") {
  const Outline start = outline_of_text("mask", circle_area);
  CHECK(start.low().x == Approx(-start.high().x));
  CHECK(start.low().y == Approx(-start.high().y));
  CHECK_FALSE(crosses_itself(start));
}

TEST_CASE("usual ranges of searched parameters hold their start, and every parametrisation has one",
          "[shape]") {
  for (const Parametrisation& shape : parametrisation_table()) {
    INFO(shape.name);
    int searched = 0;
    for (const ShapeParameter& p : shape.parameters) {
      CHECK(p.low <= p.high);
      if (p.low == p.high) continue;
      ++searched;
      CHECK((p.low <= p.start && p.start <= p.high));
    }
    CHECK(searched > 0);
  }
}
