#include "solvers/problems/drawn_body.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "solvers/problems/flow_problem.hpp"
#include "solvers/problems/input_file.hpp"
#include "solvers/shape/constraints.hpp"
#include "solvers/shape/parametrisation.hpp"

namespace cfdmark {
namespace {

// Returns the numbers of a line without its comment; empty for a blank line.
std::vector<double> numbers_of(const std::string& line) {
  std::istringstream in(line.substr(0, line.find('#')));
  std::vector<double> numbers;
  for (std::string word; in >> word;) {
    std::size_t read = 0;
    numbers.push_back(std::stod(word, &read));
    if (read != word.size() || !std::isfinite(numbers.back())) throw std::invalid_argument(word);
  }
  return numbers;
}

std::vector<PlanePoint> read_corners(const std::string& file) {
  std::ifstream in = input_file(file);
  std::vector<PlanePoint> corners;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::vector<double> numbers;
    try {
      numbers = numbers_of(line);
    } catch (const std::exception&) {
      numbers = {0};
    }
    if (numbers.empty()) continue;
    if (numbers.size() != 2)
      throw std::invalid_argument(
          fmt::format("{}:{}: invalid corner '{}'; write x and y in tunnel heights, such as 1.0 0.5", file,
                      number, line));
    corners.push_back({numbers[0], numbers[1]});
  }
  return corners;
}

}  // namespace

void require_pixel_grid(const std::string& file, int nx, int ny, const Grid& g) {
  if (nx == g.nx && ny == g.ny) return;
  throw std::invalid_argument(
      fmt::format("{} has {}x{} pixels, but the grid has {}x{} cells: scale the image, or use --grid {}x{}",
                  file, nx, ny, g.nx, g.ny, nx, ny));
}

DrawnBody body_of(const Mask& mask, const Grid& g) {
  require_pixel_grid(mask.file, mask.nx, mask.ny, g);
  if (mask.rows() == 0)
    throw std::invalid_argument(
        fmt::format("{}: the image contains no solid cells (pixels darker than 50 %)", mask.file));
  const double pixel = 1.0 / g.ny;
  return {mask.file, mask.columns() * pixel, mask.rows() * pixel, g.nx * pixel,
          [mask](double x, double y) { return mask.is_solid(int(x * mask.ny), int(y * mask.ny)); }};
}

DrawnBody read_polygon(const std::string& file) {
  const std::vector<PlanePoint> corners = read_corners(file);
  if (corners.size() < 3)
    throw std::invalid_argument(
        fmt::format("{}: has {} corners, but a polygon needs at least 3", file, corners.size()));
  return body_inside({corners}, file);
}

DrawnBody body_of_outline(const std::string& text) {
  constexpr double diameter = 0.125;
  const std::string name = fmt::format("outline '{}'", text);
  const Outline outline = moved(outline_of_text(text, std::numbers::pi * diameter * diameter / 4), {1, 0.5});
  if (crosses_itself(outline)) throw std::invalid_argument(name + " crosses itself");
  DrawnBody body = body_inside(outline, name);
  body.reference = diameter;
  return body;
}

DrawnBody body_inside(const Outline& outline, const std::string& file) {
  for (const PlanePoint& corner : outline.corners)
    if (corner.x < 0 || corner.x > tunnel_width || corner.y < 0 || corner.y > 1)
      throw std::invalid_argument(
          fmt::format("{}: corner {} {} is outside the tunnel, which is {} long and 1 high", file, corner.x,
                      corner.y, tunnel_width));
  const PlanePoint low = outline.low(), high = outline.high();
  if (high.x == low.x) throw std::invalid_argument(fmt::format("{}: all corners have x = {}", file, low.x));
  if (high.y == low.y) throw std::invalid_argument(fmt::format("{}: all corners have y = {}", file, low.y));
  return {file, high.x - low.x, high.y - low.y, tunnel_width,
          // Most points are far away, and an outline may have a thousand corners.
          [outline, low, high](double x, double y) {
            return x >= low.x && x <= high.x && y >= low.y && y <= high.y && outline.contains(x, y);
          },
          outline};
}

}  // namespace cfdmark
