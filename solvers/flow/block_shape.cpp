#include "solvers/flow/block_shape.hpp"

#include <cstdio>
#include <stdexcept>

#include "solvers/flow/coupling.hpp"

namespace cfdmark {

Setting block_shape_setting() {
  return choice_setting(
      "block_shape", {"usual", "32x1x8", "4x4x4", "32x8x1", "64x4x1", "16x8x1", "8x8x4", "16x1x4"}, "usual",
      "threads per block along x, y, z, for all kernels of a step; usual: each kernel's own");
}

Config threads_and_blocks_of(const Config& config) {
  Config kept = threads_of(config);
  const std::string name = block_shape_setting().name;
  if (!config.has(name) || config.is(name, "usual")) return kept;
  int x = 0, y = 0, z = 0;
  if (std::sscanf(config.choice(name).c_str(), "%dx%dx%d", &x, &y, &z) != 3)
    throw std::logic_error(name + " needs three extents: " + config.choice(name));
  kept.set("block_x", x), kept.set("block_y", y), kept.set("block_z", z);
  return kept;
}

Config blocks_for(const TuningSpace& space, const Config& config) {
  if (find_setting(space.settings, "block_z")) return config;
  Config kept;
  for (const auto& [name, value] : config.values())
    if (name != "block_x" && name != "block_y" && name != "block_z") kept.set(name, value);
  return kept;
}

}  // namespace cfdmark
