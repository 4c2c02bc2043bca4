#include "kernels/mesh/space_curve.hpp"

#include <bit>

namespace cfdmark {
namespace {

// Numbers of `n` bits, 2 or 3, of which bit d belongs to axis d.
constexpr unsigned rotated_left(unsigned x, int by, int n) {
  by %= n;
  return ((x << by) | (x >> (n - by))) & ((1u << n) - 1);
}
constexpr unsigned rotated_right(unsigned x, int by, int n) { return rotated_left(x, n - by % n, n); }

constexpr unsigned gray(unsigned i) { return i ^ (i >> 1); }
// Returns the i with gray(i) = g, for up to 4 bits.
constexpr unsigned from_gray(unsigned g) {
  g ^= g >> 2;
  return g ^ (g >> 1);
}

// Returns the corner at which the curve enters sub-box i of 2^n.
constexpr unsigned entry(unsigned i) { return i == 0 ? 0 : gray((i - 1) & ~1u); }
// Returns the axis along which the curve crosses sub-box i.
constexpr int direction(unsigned i, int n) {
  if (i == 0) return 0;
  return std::countr_one(i % 2 == 0 ? i - 1 : i) % n;
}

// Returns the bits of all axes at one level.
template <int dims>
unsigned bits_at(const LatticePoint& p, int level) {
  unsigned bits = 0;
  for (int d = 0; d < dims; ++d) bits |= ((p[d] >> level) & 1u) << d;
  return bits;
}

// Path of the curve through a box, for each state and sub-box. A state is the corner at which the curve
// enters the box, and the axis along which it crosses it.
template <int dims>
class HilbertTable {
 public:
  constexpr HilbertTable() {
    for (unsigned corner = 0; corner < boxes; ++corner)
      for (int axis = 0; axis < dims; ++axis)
        for (unsigned bits = 0; bits < boxes; ++bits) {
          const unsigned i = from_gray(rotated_right(bits ^ corner, axis + 1, dims));
          const unsigned next_corner = corner ^ rotated_left(entry(i), axis + 1, dims);
          const int next_axis = (axis + direction(i, dims) + 1) % dims;
          steps_[state(corner, axis) * boxes + bits] = {std::uint8_t(i),
                                                        std::uint8_t(state(next_corner, next_axis))};
        }
  }

  std::uint64_t key(const LatticePoint& p, int bits) const {
    std::uint64_t key = 0;
    unsigned state = 0;
    for (int level = bits; level-- > 0;) {
      const Step step = steps_[state * boxes + bits_at<dims>(p, level)];
      key = key << dims | step.place;
      state = step.state;
    }
    return key;
  }

 private:
  static constexpr unsigned boxes = 1 << dims;
  struct Step {
    std::uint8_t place, state;  // of the sub-box along the curve, and of the curve in the sub-box
  };
  static constexpr unsigned state(unsigned corner, int axis) { return corner * dims + unsigned(axis); }

  Step steps_[boxes * dims * boxes]{};
};

template <int dims>
std::uint64_t morton(const LatticePoint& p, int bits) {
  std::uint64_t key = 0;
  for (int level = bits; level-- > 0;) key = key << dims | bits_at<dims>(p, level);
  return key;
}

}  // namespace

std::uint64_t hilbert_key(const LatticePoint& p, int dims, int bits) {
  static constexpr HilbertTable<2> flat;
  static constexpr HilbertTable<3> solid;
  return dims == 2 ? flat.key(p, bits) : solid.key(p, bits);
}

std::uint64_t morton_key(const LatticePoint& p, int dims, int bits) {
  return dims == 2 ? morton<2>(p, bits) : morton<3>(p, bits);
}

}  // namespace cfdmark
