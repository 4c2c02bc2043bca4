// Copies boxes of cells between fields in the host's memory.
#pragma once

#include <cstring>

#include "kernels/core/operator.hpp"
#include "kernels/core/partition.hpp"

namespace cfdmark {

// Copies a box of values with `layers` layers around it from one field to another of the same storage.
inline void copy_box(const AnyView& from, const CellBox& at, const AnyView& to, const CellBox& there,
                     int layers) {
  const Index value = Index(stored_bytes(to.storage));
  const int layers_z = to.grid.is_3d() ? layers : 0;
  const auto row = [&](const AnyView& field, const CellBox& box, int j, int k) {
    return static_cast<char*>(field.origin) +
           (box.i - layers + (box.j + j) * field.pitch + (box.k + k) * field.plane) * value;
  };
  for (int k = -layers_z; k < at.nz + layers_z; ++k)
    for (int j = -layers; j < at.ny + layers; ++j)
      std::memcpy(row(to, there, j, k), row(from, at, j, k), std::size_t((at.nx + 2 * layers) * value));
}

}  // namespace cfdmark
