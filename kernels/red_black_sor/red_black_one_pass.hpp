// What the methods share that do both colours in one pass over memory on CUDA.
#pragma once

#include <string>
#include <vector>

#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {

inline int even(int n) { return n + n % 2; }

// Why a pass along rows cannot do these args; empty if it can.
std::string takes_rows(const RedBlackArgs&);
// Of strips down which warps walk: cells a lane, warps a block, cuts of the rows.
TuningSpace strip_space(std::vector<Value> row_blocks, int usual_row_blocks);
// A warp walks along many rows one after the other: only where there are enough of them for all warps of a
// device. With coefficient arrays it holds too much in registers.
bool prefers_strips(const RedBlackArgs&);

// The setting of methods that make several sweeps a launch.
inline constexpr const char* sweeps_of_a_step = "sweeps";
void add_sweeps(TuningSpace&, std::vector<Value> depths, int usual_depth = 4);
// Their launches, in turn: back and forth between two arrays, so that an even number ends where it began.
std::vector<int> sweeps_of_launches(const Config&);
// Each launch reads everything once and writes u once; what overlaps comes from the caches.
Cost cost_of_launches(const RedBlackArgs&, const Config&);

Method<RedBlackArgs> pipelined_method();
Method<RedBlackArgs> planes_method();
// Of a small grid, which stays in registers.
Method<RedBlackArgs> persistent_method();

}  // namespace cfdmark
