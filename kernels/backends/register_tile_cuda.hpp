// Plans of methods whose grid stays in registers (register_tile.cuh): their settings and their one launch.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/field.hpp"
#include "kernels/backends/register_tile.hpp"

namespace cfdmark {

inline constexpr const char* sweeps_of_a_tile = "sweeps";

// Of a sweep of so many steps, each of which spoils a layer.
inline TileShape tile_of(const Config& c, int steps) {
  return {c.whole("cells"), c.whole("rows"), c.whole("warps"), steps * c.whole("depth")};
}

// Whether a lane has registers for so many values of each of its cells, two for each, and 40 more.
inline bool fits_registers(const TileShape& tile, int values) {
  constexpr int others = 40, of_a_multiprocessor = 2048, most = 255;  // a lane; of all warps together
  return 2 * values * tile.cells * tile.rows + others <= std::min(most, of_a_multiprocessor / tile.warps);
}

inline TuningSpace register_tile_space(int steps) {
  return {{{"cells", {2, 4, 8}, 4, "cells of a row that a lane holds"},
           {"rows", {4, 8}, 4, "rows of a tile that a warp holds"},
           {"warps", {8, 12, 16}, 16, "warps of a block, above each other"},
           {"depth", {1, 2, 4, 8}, 4, "sweeps between two exchanges of what lies at the tiles' edges"},
           {sweeps_of_a_tile, {}, 64, "that one step makes"}},
          [steps](const Config& c) -> std::string {
            const TileShape tile = tile_of(c, steps);
            if (tile.cells != 2 && tile.cells != 4 && tile.cells != 8) return "cells: 2, 4 or 8 a lane";
            if (tile.rows % 2) return "rows: an even number";
            if (tile.warps > 32) return "warps: at most 32 a block";
            if (tile.own_lanes() <= 0 || tile.own_rows() <= 0)
              return "tiles overlap by a layer for each step on all sides: nothing is left";
            if (fits_registers(tile, 2)) return "";
            return "a lane holds u and b of cells x rows cells, and 40 registers more: a multiprocessor has "
                   "2048 for each lane of its warps, of which one can have 255";
          }};
}

// A cooperative launch of all tiles of a grid. make(two fields to exchange edges by, zeros to wait at) is the
// launch without its blocks, threads and memory.
template <class Make>
Plan in_register_tiles(Backend& backend, const Grid& g, Precision precision, const TileShape& tile,
                       int first_colour, const Make& make) {
  const Field through[2] = {Field(backend, g, precision), Field(backend, g, precision)};
  const Buffer arrived(backend, sizeof(unsigned));
  backend.set_zero(arrived.data(), sizeof(unsigned));
  Launch launch = make(through[0].view(), through[1].view(), static_cast<unsigned*>(arrived.data()));
  launch.blocks = {tile.tiles_x(g.nx), tile.tiles_y(g.ny, first_colour)};
  launch.threads = {32, tile.warps};
  launch.shared_bytes = tile.shared_bytes(int(stored_bytes(precision)));
  launch.cooperative = true;
  return {.run = {launch}, .memory = {through[0].buffer(), through[1].buffer(), arrived}};
}

// Each step reads everything once and writes once; the edges that tiles exchange come from the caches.
inline Cost register_tile_cost(Cost one_sweep, const Config& config) {
  one_sweep.bytes /= config.whole(sweeps_of_a_tile);
  return one_sweep;
}

}  // namespace cfdmark
