#include "kernels/device/cuda/primitives/register_tile_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/device/cuda/runtime/cuda_limits.hpp"

namespace cfdmark {
namespace {

constexpr int depths[] = {1, 2, 4, 8};

// Time of one exchange between all tiles, with its grid barrier, in ns; measured on an H100 and an H200.
constexpr double exchange = 2700;

constexpr int registers_of_a_multiprocessor = 2048;  // per lane position, over all its warps

// Returns the registers that a lane needs: `values` per cell, and at least 40 more (reported by `cfdmark
// inspect` for both persistent relaxations on sm_90).
int registers_of_a_lane(const TileShape& tile, int values, int of_a_value) {
  constexpr int others = 40;
  return of_a_value * values * tile.cells * tile.rows + others;
}

bool fits_registers(const TileShape& tile, int values) {
  constexpr int most = 255;
  return registers_of_a_lane(tile, values, 2) <= std::min(most, registers_of_a_multiprocessor / tile.warps);
}

std::string why_impossible(const TileShape& tile, int values) {
  if (tile.cells != 2 && tile.cells != 4 && tile.cells != 8) return "cells must be 2, 4 or 8";
  if (tile.rows % 2) return "rows must be even";
  if (tile.warps > 32) return "warps must be at most 32";
  if (tile.own_lanes() <= 0 || tile.own_rows() <= 0)
    return "tiles overlap by a layer per step on all sides and have no cells of their own: reduce depth";
  if (fits_registers(tile, values)) return "";
  return fmt::format(
      "a lane needs registers for {} values of each of cells x rows cells and 40 more, of at most 255 per "
      "lane and 2048 for the same lane of all warps: reduce cells, rows or warps",
      values);
}

// Returns the value of a setting, or the candidates if it is `fit`.
std::vector<int> values_of(const Config& config, const char* setting, const std::vector<int>& fitting) {
  return config.is(setting, fit) ? fitting : std::vector<int>{config.integer(setting)};
}

// Returns the possible tiles that match the config. If there is none, `reason` is that of the last rejected
// one.
std::vector<DeepTile> possible_tiles(const Config& config, const TileScheme& scheme, std::string& reason) {
  std::vector<DeepTile> tiles;
  const auto numbers = [&](const char* setting, const std::vector<int>& fitting) {
    return values_of(config, setting, fitting);
  };
  for (const int cells : numbers("cells", scheme.cells))
    for (const int rows : numbers("rows", scheme.rows))
      for (const int warps : numbers("warps", scheme.warps))
        for (const int depth : numbers("depth", {std::begin(depths), std::end(depths)})) {
          const TileShape shape{cells, rows, warps, scheme.steps * depth};
          const std::string why = why_impossible(shape, scheme.values);
          if (why.empty())
            tiles.push_back({shape, depth});
          else
            reason = why;
        }
  return tiles;
}

Setting fitted(const char* name, const char* help) {
  return {.name = name, .values = {fit}, .default_value = fit, .help = help, .words = {fit}};
}

}  // namespace

TuningSpace register_tile_space(const TileScheme& scheme) {
  return {{fitted("cells", "cells of a row per lane; fit: those of the fastest estimated sweep"),
           fitted("rows", "rows of a tile per warp, or fit"),
           fitted("warps", "warps per block, stacked in y, or fit"),
           fitted("depth", "sweeps between two exchanges of tile edges, or fit"),
           {sweeps_of_a_tile, {}, 64, "sweeps per run"}},
          [scheme](const Config& c) {
            std::string reason;
            return possible_tiles(c, scheme, reason).empty() ? reason : "";
          }};
}

DeepTile tile_that_fits(const Config& config, const TileScheme& scheme, const Grid& g, Precision precision,
                        int first_colour, const std::function<bool(const DeepTile&)>& can_hold) {
  const TileCost& cost = arithmetic_of(precision) == Precision::fp64 ? scheme.fp64 : scheme.fp32;
  const int multiprocessors = cuda_limits().multiprocessors;
  const auto blocks = [&](const DeepTile& tile) {
    return tile.shape.tiles_x(g.nx) * tile.shape.tiles_y(g.ny, first_colour);
  };
  const auto beside = [&](const DeepTile& tile) {  // tiles per multiprocessor
    return (blocks(tile) + multiprocessors - 1) / multiprocessors;
  };
  const auto nanoseconds = [&](const DeepTile& tile) {
    const double of_a_lane = tile.shape.cells * tile.shape.rows;
    return cost.lane * of_a_lane + cost.multiprocessor * of_a_lane * tile.shape.warps * beside(tile) +
           exchange / tile.depth;
  };
  // A query compiles the tile's code, which takes some tenths of a second.
  const auto may_be_held = [&](const DeepTile& tile) {
    const int registers =
        registers_of_a_lane(tile.shape, scheme.values, int(stored_bytes(precision) / sizeof(float)));
    return beside(tile) * tile.shape.warps * registers <= registers_of_a_multiprocessor;
  };
  std::string reason;
  std::vector<DeepTile> tiles = possible_tiles(config, scheme, reason);
  std::stable_sort(tiles.begin(), tiles.end(),
                   [&](const DeepTile& a, const DeepTile& b) { return nanoseconds(a) < nanoseconds(b); });
  if (tiles.size() == 1) return tiles.front();
  for (const DeepTile& tile : tiles)
    if (beside(tile) == 1 || (may_be_held(tile) && can_hold(tile))) return tile;
  return *std::min_element(tiles.begin(), tiles.end(),
                           [&](const DeepTile& a, const DeepTile& b) { return blocks(a) < blocks(b); });
}

}  // namespace cfdmark
