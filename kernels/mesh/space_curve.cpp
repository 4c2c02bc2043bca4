#include "kernels/mesh/space_curve.hpp"

#include <bit>

namespace cfdmark {
namespace {

// Numbers of `n` bits, 2 or 3, of which bit d belongs to axis d.
unsigned rotated_left(unsigned x, int by, int n) {
  by %= n;
  return ((x << by) | (x >> (n - by))) & ((1u << n) - 1);
}
unsigned rotated_right(unsigned x, int by, int n) { return rotated_left(x, n - by % n, n); }

unsigned gray(unsigned i) { return i ^ (i >> 1); }
// Returns the i with gray(i) = g, for up to 4 bits.
unsigned from_gray(unsigned g) {
  g ^= g >> 2;
  return g ^ (g >> 1);
}

// Returns the bits of all axes at one level.
unsigned bits_at(const LatticePoint& p, int dims, int level) {
  unsigned bits = 0;
  for (int d = 0; d < dims; ++d) bits |= ((p[d] >> level) & 1u) << d;
  return bits;
}

// Returns the corner at which the curve enters sub-box i of 2^n.
unsigned entry(unsigned i) { return i == 0 ? 0 : gray((i - 1) & ~1u); }
// Returns the axis along which the curve crosses sub-box i.
int direction(unsigned i, int n) {
  if (i == 0) return 0;
  return std::countr_one(i % 2 == 0 ? i - 1 : i) % n;
}

}  // namespace

std::uint64_t hilbert_key(const LatticePoint& p, int dims, int bits) {
  std::uint64_t key = 0;
  unsigned corner = 0;  // where the curve enters the box at this level
  int axis = 0;         // and the axis along which it crosses it
  for (int level = bits; level-- > 0;) {
    const unsigned place = rotated_right(bits_at(p, dims, level) ^ corner, axis + 1, dims);
    const unsigned i = from_gray(place);
    key = key << dims | i;
    corner ^= rotated_left(entry(i), axis + 1, dims);
    axis = (axis + direction(i, dims) + 1) % dims;
  }
  return key;
}

std::uint64_t morton_key(const LatticePoint& p, int dims, int bits) {
  std::uint64_t key = 0;
  for (int level = bits; level-- > 0;) key = key << dims | bits_at(p, dims, level);
  return key;
}

}  // namespace cfdmark
