// Plans of methods that keep the grid in registers (register_tile.cuh): settings, choice of the tile, and
// launch.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/primitives/register_tile.hpp"
#include "kernels/device/field.hpp"

namespace cfdmark {

inline constexpr const char* sweeps_of_a_tile = "sweeps";

// Time per iteration in ns: `lane` per cell of a lane, whose updates are sequential, and `multiprocessor` per
// cell of all warps of a multiprocessor, divided by 32, which share its units. The exchange of edges comes on
// top.
struct TileCost {
  double lane, multiprocessor;
};

// A relaxation whose grid is kept in tiles.
struct TileScheme {
  int steps;   // dependent steps per iteration, each of which invalidates a layer
  int values;  // values per cell in registers
  TileCost fp32, fp64;
  // Candidates for `fit`.
  std::vector<int> cells = {2, 4, 8}, rows = {4, 8}, warps = {8, 12, 16};
};

// Returns the settings "cells", "rows", "warps" and "depth", each a number or `fit`, and the iterations per
// step.
TuningSpace register_tile_space(const TileScheme&);

// A tile, and the iterations between two exchanges.
struct DeepTile {
  TileShape shape;
  int depth;
};

// Returns cells, rows, warps and depth: the last template arguments of the device code.
inline std::vector<int> template_numbers(const DeepTile& tile) {
  return {tile.shape.cells, tile.shape.rows, tile.shape.warps, tile.depth};
}

// Returns the tile with the shortest estimated iteration among those that match the config and fit on the
// device all at once; if none fits, the one with the fewest tiles. can_hold(tile) returns true if all its
// blocks are resident. It is not called for at most one block per multiprocessor, nor if the registers cannot
// suffice.
DeepTile tile_that_fits(const Config&, const TileScheme&, const Grid&, Precision, int first_colour,
                        const std::function<bool(const DeepTile&)>& can_hold);

// Returns a plan with one cooperative launch of all tiles. make(tile, two exchange fields, barrier counter)
// returns the launch without blocks, threads and shared memory.
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

// Returns the cost per iteration: one run reads and writes the fields once; exchanged edges come from the
// caches.
inline Cost register_tile_cost(Cost one_sweep, const Config& config) {
  one_sweep.bytes /= config.integer(sweeps_of_a_tile);
  return one_sweep;
}

}  // namespace cfdmark
