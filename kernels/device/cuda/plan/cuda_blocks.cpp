#include "kernels/device/cuda/plan/cuda_blocks.hpp"

#include <fmt/format.h>

namespace cfdmark {
namespace {

constexpr int warp = 32, least_threads = warp, most_threads = 1024, most_threads_z = 64;
constexpr int most_blocks_yz = 65535;

int block_z_of(const Config& config) { return config.has("block_z") ? config.integer("block_z") : 1; }

std::string block_constraint(const Config& config) {
  const int z = block_z_of(config);
  const long long threads = 1ll * config.integer("block_x") * config.integer("block_y") * z;
  if (threads < least_threads || threads > most_threads)
    return fmt::format("{}: {} threads, but a block must have {} to {}", config.text(), threads,
                       least_threads, most_threads);
  if (z > most_threads_z)
    return fmt::format("block_z={}: a block has at most {} threads in z", z, most_threads_z);
  return "";
}

const Setting block_x{"block_x", {16, 32, 64, 128, 256}, 64, "threads of a block along x"};
const Setting block_y{"block_y", {1, 2, 4, 8, 16}, 4, "threads of a block along y"};

TuningSpace space_of(std::vector<Setting> shape, std::vector<Setting> more) {
  shape.insert(shape.end(), more.begin(), more.end());
  return {std::move(shape), block_constraint};
}

int blocks_along(int cells, int a_block, const char* axis) {
  const int blocks = (cells + a_block - 1) / a_block;
  if (blocks > most_blocks_yz && axis[0] != 'x')
    throw std::invalid_argument(
        fmt::format("{} blocks of {} cells in {}, but a launch has at most {}: use larger blocks", blocks,
                    a_block, axis, most_blocks_yz));
  return blocks;
}

}  // namespace

TuningSpace block_space(std::vector<Setting> more) {
  return space_of({block_x, block_y, {"block_z", {1, 2, 4}, 1, "threads of a block along z"}},
                  std::move(more));
}

TuningSpace flat_block_space(std::vector<Setting> more) {
  return space_of({block_x, block_y}, std::move(more));
}

TuningSpace reducing_block_space(std::vector<Setting> more) {
  TuningSpace space = flat_block_space(std::move(more));
  space.require([](const Config& config) -> std::string {
    const int threads = config.integer("block_x") * config.integer("block_y");
    if (threads % warp == 0) return "";
    return fmt::format("{}: {} threads, but a reduction needs a multiple of {} per block", config.text(),
                       threads, warp);
  });
  return space;
}

TuningSpace column_space(int cells) {
  TuningSpace space = flat_block_space(
      {{"cells", {2, 4, 8}, cells ? cells : cells_in_16_bytes(4), "cells of a column per thread"}});
  if (cells) space.settings[0].default_value = 128, space.settings[1].default_value = 1;
  return space;
}

Extent block_of(const Config& config) {
  return {config.integer("block_x"), config.integer("block_y"), block_z_of(config)};
}

int compiled_for(Extent threads) {
  constexpr int with_all_registers = 256;  // a thread can use at most 255 of the 65536 registers
  int most = with_all_registers;
  while (most < threads.x * threads.y * threads.z) most *= 2;
  return most;
}

Extent blocks_over(const Grid& grid, Extent threads, Extent cells) {
  return {blocks_along(grid.nx, threads.x * cells.x, "x"), blocks_along(grid.ny, threads.y * cells.y, "y"),
          blocks_along(grid.nz, threads.z * cells.z, "z")};
}

}  // namespace cfdmark
