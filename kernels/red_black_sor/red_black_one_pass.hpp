// Shared parts of the CUDA methods that update both colours in one pass over memory.
#pragma once

#include <string>
#include <vector>

#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {

inline int even(int n) { return n + n % 2; }

// Returns why a pass along rows does not support these args; empty if it does.
template <class K>
std::string takes_rows(const CellArgs<K>& args) {
  if (args.grid().is_3d()) return "it requires a 2-D grid";
  if (const std::string reason = unaligned(args); !reason.empty()) return reason;
  return only_red_black(args);
}
// Returns the settings of strips processed by warps: cells per lane, warps per block, parts of the rows.
TuningSpace strip_space(std::vector<Value> row_blocks, int usual_row_blocks);
// Not with coefficient arrays, for which a warp's strip needs too many registers.
template <class K>
bool prefers_strips(const CellArgs<K>& args) {
  return args.fields.a.constant && args.grid().cells() >= least_cells_of_strips;
}

// Name of the setting for the iterations per step.
inline constexpr const char* sweeps_of_a_step = "sweeps";
void add_sweeps(TuningSpace&, std::vector<Value> depths, int usual_depth = 4);
// Returns the iterations of each launch, at most `depth`. Launches alternate between two arrays, so an even
// number ends in the first.
std::vector<int> sweeps_of_launches(int sweeps, int depth);
std::vector<int> sweeps_of_launches(const Config&);
// Returns the cost: each launch reads everything once and writes u once; overlaps come from the caches.
template <class K>
Cost cost_of_launches(const CellArgs<K>& args, const std::vector<int>& launches, const Config& config) {
  Cost cost = red_black_fused_cost(args);
  cost.bytes *= double(launches.size()) / config.integer(sweeps_of_a_step);
  return cost;
}
template <class K>
Cost cost_of_launches(const CellArgs<K>& args, const Config& config) {
  return cost_of_launches(args, sweeps_of_launches(config), config);
}

// Each is instantiated for RedBlackSor and RedBlackLaplace.
template <class K>
Method<CellArgs<K>> pipelined_method();
template <class K>
Method<CellArgs<K>> staged_method();
template <class K>
Method<CellArgs<K>> planes_method();
// For a small grid, which is kept in registers.
template <class K>
Method<CellArgs<K>> persistent_method();
// The same with coefficient arrays, also in registers.
template <class K>
Method<CellArgs<K>> persistent_arrays_method();
// With coefficient arrays, for a large grid.
template <class K>
Method<CellArgs<K>> wavefront_method();
// Returns streamed, staged, pipelined, wavefront, tiled, persistent and persistent_arrays.
template <class K>
Methods<CellArgs<K>> one_pass_methods();

}  // namespace cfdmark
