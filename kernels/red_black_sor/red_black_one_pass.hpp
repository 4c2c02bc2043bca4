// What the methods share that do both colours in one pass over memory on CUDA.
#pragma once

#include <string>
#include <vector>

#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {

inline int even(int n) { return n + n % 2; }

// Why a pass along rows cannot do these args; empty if it can.
template <class K>
std::string takes_rows(const CellArgs<K>& args) {
  if (args.grid().is_3d()) return "it takes rows of a 2-D grid";
  if (const std::string reason = unaligned(args); !reason.empty()) return reason;
  return only_red_black(args);
}
// Of strips down which warps walk: cells a lane, warps a block, cuts of the rows.
TuningSpace strip_space(std::vector<Value> row_blocks, int usual_row_blocks);
// With coefficient arrays a strip of a warp holds too much in registers.
template <class K>
bool prefers_strips(const CellArgs<K>& args) {
  return args.fields.a.constant && args.grid().cells() >= least_cells_of_strips;
}

// The setting of methods that make several sweeps a launch.
inline constexpr const char* sweeps_of_a_step = "sweeps";
void add_sweeps(TuningSpace&, std::vector<Value> depths, int usual_depth = 4);
// Their launches, of at most `depth` sweeps, in turn: back and forth between two arrays, so that an even
// number ends where it began.
std::vector<int> sweeps_of_launches(int sweeps, int depth);
std::vector<int> sweeps_of_launches(const Config&);
// Each launch reads everything once and writes u once; what overlaps comes from the caches.
template <class K>
Cost cost_of_launches(const CellArgs<K>& args, const std::vector<int>& launches, const Config& config) {
  Cost cost = red_black_fused_cost(args);
  cost.bytes *= double(launches.size()) / config.whole(sweeps_of_a_step);
  return cost;
}
template <class K>
Cost cost_of_launches(const CellArgs<K>& args, const Config& config) {
  return cost_of_launches(args, sweeps_of_launches(config), config);
}

// For RedBlackSor and RedBlackLaplace.
template <class K>
Method<CellArgs<K>> pipelined_method();
template <class K>
Method<CellArgs<K>> staged_method();
template <class K>
Method<CellArgs<K>> planes_method();
// Of a small grid, which stays in registers.
template <class K>
Method<CellArgs<K>> persistent_method();
// With an array for each coefficient, in registers too.
template <class K>
Method<CellArgs<K>> persistent_arrays_method();
// With an array for each coefficient, on a large grid.
template <class K>
Method<CellArgs<K>> wavefront_method();
// streamed, staged, pipelined, wavefront, tiled, persistent, persistent_arrays
template <class K>
Methods<CellArgs<K>> one_pass_methods();

}  // namespace cfdmark
