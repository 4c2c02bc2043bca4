// The least work that one step must do. Every printed GB/s and GLUP/s is computed from it.
#pragma once

namespace cfdmark {

struct Cost {
  double bytes = 0;  // bytes moved between processor and main memory, each value once (no write-allocate)
  double flops = 0;  // floating-point operations; a fused multiply-add counts as two
  double cells = 0;  // cell updates
};

inline Cost operator*(double times, Cost c) { return {times * c.bytes, times * c.flops, times * c.cells}; }
inline Cost operator+(Cost a, Cost b) { return {a.bytes + b.bytes, a.flops + b.flops, a.cells + b.cells}; }

}  // namespace cfdmark
