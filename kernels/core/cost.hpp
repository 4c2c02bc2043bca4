// What one step must do at least: the model behind every GB/s and GLUP/s that is printed.
#pragma once

namespace cfdmark {

struct Cost {
  double bytes = 0;  // moved between the processor and main memory, each value once (no write-allocate)
  double flops = 0;  // additions and multiplications; a fused multiply-add counts two
  double cells = 0;  // cell updates
};

inline Cost operator*(double times, Cost c) { return {times * c.bytes, times * c.flops, times * c.cells}; }
inline Cost operator+(Cost a, Cost b) { return {a.bytes + b.bytes, a.flops + b.flops, a.cells + b.cells}; }

}  // namespace cfdmark
