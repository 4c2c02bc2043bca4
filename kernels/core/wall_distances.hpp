// Distances from the centre of a cell to the surface of a body, packed into one number that is exact in 32
// bits. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// Towards west, east, south and north the distance to the surface along that axis, in 64ths of the cell's
// side on that axis: 1 to 64, six bits each. The code 0 is half a side towards all four, as for walls on the
// faces.
struct WallDistances {
  int code = 0;

  // Returns the code of four distances above 0 and at most 1 (west, east, south, north), rounded to 64ths.
  static WallDistances of(const double (&sides)[4]) {
    WallDistances all;
    for (int side = 0; side < 4; ++side) {
      const int rounded = int(sides[side] * 64 + 0.5);
      const int parts = rounded < 1 ? 1 : rounded > 64 ? 64 : rounded;
      all.code |= ((parts - 1) ^ half) << 6 * side;
    }
    return all;
  }
  // Returns the distance in 64ths of a cell side; side: 0 west, 1 east, 2 south, 3 north.
  CFDMARK_FUNCTION int parts(int side) const { return ((code >> 6 * side & 63) ^ half) + 1; }
  // Returns by how much the conductance D / distance of a surface exceeds that of a wall on the face, 2 D, in
  // units of D.
  template <class C>
  CFDMARK_FUNCTION C excess(int side) const {
    return C(64) / C(parts(side)) - C(2);
  }

 private:
  static constexpr int half = 31;  // half a cell side is 32 parts, stored as 31 XOR 31
};

}  // namespace cfdmark
