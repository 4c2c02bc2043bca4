// All partitions of a grid, for tests of ranks.
#pragma once

#include <stdexcept>

#include "kernels/core/partition.hpp"

namespace cfdmark {

// Calls f(partition) for each number of ranks up to `most` and each shape that fits the grid with this
// alignment of cuts: all numbers of parts along x, y and z, which include slabs, pencils and blocks.
template <class F>
void for_each_partition(const Grid& whole, int most, int align, const std::array<bool, 3>& periodic,
                        const F& f) {
  for (int x = 1; x <= most; ++x)
    for (int y = 1; x * y <= most; ++y)
      for (int z = 1; x * y * z <= most; ++z) {
        if (z > 1 && !whole.is_3d()) continue;
        const PartShape shape{PartShape::Kind::given, {x, y, z}};
        try {
          f(Partition::of(whole, x * y * z, shape, align, periodic));
        } catch (const std::invalid_argument&) {  // too few cells for these parts
        }
      }
}

}  // namespace cfdmark
