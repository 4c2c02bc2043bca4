// Plans of methods whose iterations form a pipeline (sweep_pipeline.cuh): settings and launches.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/primitives/sweep_pipeline.hpp"

namespace cfdmark {

inline constexpr const char* sweeps_of_a_pipeline = "sweeps";

inline SweepPipeline pipeline_of(const Config& c, int reach) {
  return {c.integer("packs"), c.integer("sweeps_a_warp"), c.integer("warps"), reach};
}

// Returns a launch of a pipeline with no more warps than `sweeps` iterations need. make(template arguments)
// returns its function and arguments. The number of blocks is `waves` times those resident at once: a few
// more would take a full wave longer.
template <class S, class C, class Make>
Launch pipeline_launch(CudaBackend& backend, const Grid& g, const Config& config, int reach, int sweeps,
                       bool has_source, const Make& make) {
  constexpr int bytes = int(sizeof(S));
  SweepPipeline shape = pipeline_of(config, reach);
  // 64-bit arithmetic on 32-bit storage needs twice the registers per cell, so a lane holds half as many
  // cells.
  if (sizeof(C) > sizeof(S)) shape.packs = std::max(shape.packs / 2, 1);
  shape.warps = std::min(shape.warps, (sweeps + shape.each - 1) / shape.each);
  Launch launch = make(std::vector<int>{shape.packs, shape.each, shape.warps,
                                        config.integer("min_blocks_per_sm"), g.nx % shape.cells(bytes)});
  launch.blocks = {shape.strips(g.nx, bytes)};
  launch.threads = {32, shape.warps};
  launch.shared_bytes = shape.shared_bytes(has_source);
  const int places = config.integer("grid_waves") * backend.resident_blocks(launch);
  launch.blocks.y = std::clamp(places / launch.blocks.x, 1, g.ny);
  return launch;
}

// Returns the settings for a kernel with or without right-hand side. rows_held(iterations per warp) returns
// the rows in a lane's registers.
template <class RowsHeld>
TuningSpace sweep_pipeline_space(const SweepPipeline& usual, bool has_source, const RowsHeld& rows_held) {
  return {{{"packs", {2, 3, 4}, usual.packs, "16-byte packs of a row per lane"},
           {"sweeps_a_warp", {1, 2, 3}, usual.each, "sweeps per warp"},
           {"warps", {2, 4, 6}, usual.warps, "warps per block, the stages of the pipeline"},
           {"min_blocks_per_sm",
            {1, 2, 3},
            2,
            "minimum of resident blocks per multiprocessor; more leave fewer registers per thread"},
           {"grid_waves", {1, 2}, 1, "number of blocks, in multiples of those resident at once"},
           {sweeps_of_a_pipeline, {}, 48, "sweeps per run"}},
          [reach = usual.reach, has_source, rows_held](const Config& c) -> std::string {
            const SweepPipeline shape = pipeline_of(c, reach);
            if (shape.warps > 32) return "warps must be at most 32";
            if (shape.own_lanes(sizeof(double)) <= 0)
              return "strips overlap by " + std::to_string(reach) +
                     " columns per sweep on either side and have no columns of their own: reduce the sweeps";
            // Limits per block as on an A100, per multiprocessor as on an H200.
            constexpr int most_of_a_block = 163 * 1024, most_in_all = 227 * 1024, registers = 2048,
                          others = 44;
            const int resident = c.integer("min_blocks_per_sm"), bytes = shape.shared_bytes(has_source);
            if (bytes > most_of_a_block || resident * bytes > most_in_all)
              return "rows need more than 163 KiB of shared memory per block or 227 KiB per multiprocessor";
            const int held = rows_held(shape.each) * shape.packs * 4;
            if (held + others <= std::min(255, registers / (shape.warps * resident))) return "";
            return "a lane needs 4 packs registers for each of " + std::to_string(rows_held(shape.each)) +
                   " rows and 44 more, of at most 255 per lane and 2048 for the same lane of all warps";
          }};
}

}  // namespace cfdmark
