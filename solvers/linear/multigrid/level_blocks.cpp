#include "solvers/linear/multigrid/level_blocks.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "kernels/device/backends/counting.hpp"

namespace cfdmark {
namespace {

struct Shape {
  int x = 0, y = 0, z = 1;
};

std::vector<Shape> shapes_of(const std::string& text) {
  std::vector<Shape> shapes;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '/');) {
    Shape& s = shapes.emplace_back();
    if (std::sscanf(part.c_str(), "%dx%dx%d", &s.x, &s.y, &s.z) < 2)
      throw std::logic_error("level_blocks: invalid block shape: " + text);
  }
  return shapes;
}

// Returns the first shape whose x and y divide the level's numbers of points, else the last one.
Shape shape_on(const Grid& g, const std::vector<Shape>& shapes) {
  for (const Shape& s : shapes)
    if (g.nx % s.x == 0 && g.ny % s.y == 0) return s;
  return shapes.back();
}

}  // namespace

Setting level_blocks_setting() {
  Setting setting = choice_setting(
      "level_blocks", {"same", "tuned", "32x1x8", "4x4x4", "32x1x8/4x4x4", "64x4/16x4"}, "same",
      "block shapes of multigrid's levels; same: the solver's; tuned: from the tuned table; of "
      "several shapes a level takes the first whose x and y divide its extents, else the last");
  setting.values.clear();  // not tuned: it selects how tuned configs are used
  return setting;
}

Config level_config(const System& level, const Config& of_solver, const std::string& kernel,
                    const std::string& method, const TuningSpace& space) {
  const std::string name = level_blocks_setting().name;
  if (!of_solver.has(name) || of_solver.is(name, "same") || only_counts(*level.backend)) return {};
  if (of_solver.is(name, "tuned")) {
    if (!level.level_configs || !*level.level_configs)
      throw std::invalid_argument(name + "=tuned needs a tuned table; only `run` and `solve` load one");
    return (*level.level_configs)({kernel, method, level.grid(), level.precision, level.stencil().constant});
  }
  if (!find_setting(space.settings, "block_z")) return {};
  const Shape s = shape_on(level.grid(), shapes_of(of_solver.choice(name)));
  if (s.z > 1 && !level.grid().is_3d())
    throw std::invalid_argument(
        fmt::format("{}={} has blocks of {} layers, but the grid is 2-D; use 64x4/16x4", name,
                    of_solver.choice(name), s.z));
  return {{"block_x", s.x}, {"block_y", s.y}, {"block_z", s.z}};
}

}  // namespace cfdmark
