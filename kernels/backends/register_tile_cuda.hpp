// Plans of methods whose grid stays in registers (register_tile.cuh): their settings, the tile that fits a
// grid, and their one launch.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/field.hpp"
#include "kernels/backends/register_tile.hpp"

namespace cfdmark {

inline constexpr const char* sweeps_of_a_tile = "sweeps";

// What a sweep takes, in ns, for each cell of a lane, which waits for its own, and for each cell of a
// multiprocessor's warps over 32, which wait for each other. An exchange of edges comes on top.
struct TileCost {
  double lane, multiprocessor;
};

// A relaxation whose grid stays in tiles.
struct TileScheme {
  int steps;   // of a sweep, each of which spoils a layer
  int values;  // of each cell in registers
  TileCost fp32, fp64;
  // Among which `fit` chooses.
  std::vector<int> cells = {2, 4, 8}, rows = {4, 8}, warps = {8, 12, 16};
};

// "cells", "rows", "warps" and "depth", each a number or `fit`, and the sweeps of a step.
TuningSpace register_tile_space(const TileScheme&);

// A tile, and the sweeps between two exchanges.
struct DeepTile {
  TileShape shape;
  int depth;
};

// Cells, rows, warps and depth: the last template arguments of device code.
inline std::vector<int> template_numbers(const DeepTile& tile) {
  return {tile.shape.cells, tile.shape.rows, tile.shape.warps, tile.depth};
}

// Of the tiles that have what the config says the one whose sweep takes the least time among those of which
// the device holds as many as the grid has; if it holds of none enough, the one of which the grid has the
// fewest. can_hold(tile): whether all are resident at once; not asked where a multiprocessor has one at most,
// or registers for fewer than it would have.
DeepTile tile_that_fits(const Config&, const TileScheme&, const Grid&, Precision, int first_colour,
                        const std::function<bool(const DeepTile&)>& can_hold);

// A cooperative launch of all tiles of a grid. make(tile, two fields to exchange edges by, zeros to wait at)
// is the launch without its blocks, threads and memory.
template <class Make>
Plan in_register_tiles(Backend& backend, const Grid& g, Precision precision, const TileScheme& scheme,
                       const Config& config, int first_colour, const Make& make) {
  const Field through[2] = {Field(backend, g, precision), Field(backend, g, precision)};
  const Buffer arrived(backend, sizeof(unsigned));
  backend.set_zero(arrived.data(), sizeof(unsigned));
  const auto launch_of = [&](const DeepTile& tile) {
    Launch launch = make(tile, through[0].view(), through[1].view(), static_cast<unsigned*>(arrived.data()));
    launch.blocks = {tile.shape.tiles_x(g.nx), tile.shape.tiles_y(g.ny, first_colour)};
    launch.threads = {32, tile.shape.warps};
    launch.shared_bytes = tile.shape.shared_bytes(int(stored_bytes(precision)));
    launch.cooperative = true;
    return launch;
  };
  auto& cuda = static_cast<CudaBackend&>(backend);
  const DeepTile tile =
      tile_that_fits(config, scheme, g, precision, first_colour, [&](const DeepTile& tried) {
        const Launch launch = launch_of(tried);
        return launch.blocks.x * launch.blocks.y <= cuda.resident_blocks(launch);
      });
  return {.run = {launch_of(tile)}, .memory = {through[0].buffer(), through[1].buffer(), arrived}};
}

// Each step reads everything once and writes once; the edges that tiles exchange come from the caches.
inline Cost register_tile_cost(Cost one_sweep, const Config& config) {
  one_sweep.bytes /= config.whole(sweeps_of_a_tile);
  return one_sweep;
}

}  // namespace cfdmark
