// Curves that visit all boxes of a lattice.
#pragma once

#include <array>
#include <cstdint>

namespace cfdmark {

inline constexpr int curve_bits = 16;  // per axis

using LatticePoint = std::array<std::uint32_t, 3>;  // coordinates below 2^16; z is not read in 2-D

// Returns the place of a point on the Hilbert curve through the 2^bits boxes per axis, in 2 or 3 dimensions.
// Neighbours on the curve are neighbours in space. The formula is by C. Hamilton: Compact Hilbert indices,
// Dalhousie University CS-2006-07.
std::uint64_t hilbert_key(const LatticePoint&, int dims, int bits = curve_bits);

// Returns the place of a point on the Z curve of G. M. Morton: the bits of its coordinates in turns.
std::uint64_t morton_key(const LatticePoint&, int dims, int bits = curve_bits);

}  // namespace cfdmark
