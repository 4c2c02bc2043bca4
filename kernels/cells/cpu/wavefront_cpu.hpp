// Several iterations in one pass over memory, for serial and openmp.
#pragma once

#include <algorithm>

#include "kernels/cells/cpu/cells_cpu.hpp"

namespace cfdmark {

// Runs consecutive iterations by layers (rows in 2-D, planes in 3-D). Each iteration of a layer follows right
// after the previous iteration of the next layer, so that a few layers stay in cache. Each thread has a block
// of layers. First it does the work that needs no other block, one layer less at each border per iteration;
// then the remaining triangles between blocks are done:
//
//     layers    | block 0           | block 1           |
//     iter. 0   |################## . ##################|
//     iter. 1   |#################  .  #################|
//     iter. 2   |################   .   ################|
//
// sweep(n, layer) performs iteration n of a layer. It should hold what it needs by value: each block has a
// copy, which no store can alias. It may read the adjacent layers, which are in the state after iteration n -
// 1 or n. No other thread writes to any of these three layers meanwhile.
template <class Sweep>
void in_wavefronts(const HostRows& rows, int layers, int sweeps, int depth, const Sweep& sweep) {
  for (int first = 0; first < sweeps; first += depth) {
    const int count = std::min(depth, sweeps - first);
    const int blocks = std::clamp(layers / (2 * count + 1), 1, rows.threads());
    const auto border = [&](Index block) { return int(block * layers / blocks); };
    rows(blocks, [&](Index block) {
      const Sweep of_block = sweep;
      const int begin = border(block), end = border(block + 1);
      const int less_below = block > 0, less_above = block + 1 < blocks;
      for (int front = begin; front < end + count - 1; ++front)
        for (int n = 0; n < count; ++n) {
          const int layer = front - n, less = n + 1;
          if (layer >= begin + less * less_below && layer < end - less * less_above)
            of_block(first + n, layer);
        }
    });
    rows(blocks - 1, [&](Index block) {
      const int between = border(block + 1);
      for (int n = 0; n < count; ++n)
        for (int layer = between - n - 1; layer <= between + n; ++layer) sweep(first + n, layer);
    });
  }
}

inline int layers_of(const Grid& g) { return g.is_3d() ? g.nz : g.ny; }

// Returns the iterations per pass, reduced so that a block keeps a layer after losing one per iteration at
// both borders.
inline int wavefront_depth(int wanted, const Grid& g, int threads) {
  return std::clamp((layers_of(g) / threads - 1) / 2, 1, wanted);
}

// Applies one pass of a kernel to a layer.
template <class V, class K>
void sweep_layer(const K& kernel, const typename K::template Fields<V>& fields, const Grid& g, int layer) {
  if (!g.is_3d()) return sweep_row_alone<V>(kernel, fields, layer, 0, g.nx);
  for (int j = 0; j < g.ny; ++j) sweep_row_alone<V>(kernel, fields, j, layer, g.nx);
}

// Returns the settings of a method `wavefront`, after those of its rows.
inline constexpr const char* sweeps_of_a_run = "sweeps";
inline TuningSpace wavefront_space(TuningSpace space) {
  space.settings.push_back({"depth", {1, 2, 4, 8}, 8, "maximum of sweeps per pass over memory"});
  space.settings.push_back({sweeps_of_a_run, {}, 16, "sweeps per run"});
  return space;
}

// Returns the passes over memory of a step: `parts` half-steps per iteration, and `more` half-steps at the
// end.
inline int wavefront_passes(const Config& config, const Grid& g, int parts, int more = 0) {
  const int threads = config.has("threads") ? config.integer("threads") : 1;
  const int sweeps = parts * config.integer(sweeps_of_a_run) + more;
  const int depth = wavefront_depth(parts * config.integer("depth"), g, threads);
  return (sweeps + depth - 1) / depth;
}

}  // namespace cfdmark
