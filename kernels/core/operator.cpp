#include "kernels/core/operator.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cfdmark {

AnyView AnyView::box(int i, int j, int k, int nx, int ny, int nz) const {
  const auto within = [](int first, int n, int all) { return first >= 0 && n >= 1 && n <= all - first; };
  if (!within(i, nx, grid.nx) || !within(j, ny, grid.ny) || !within(k, nz, grid.nz))
    throw std::out_of_range(
        fmt::format("a box of {}x{}x{} cells from ({}, {}, {}) on exceeds the grid {}x{}x{}", nx, ny, nz, i,
                    j, k, grid.nx, grid.ny, grid.nz));
  AnyView part = *this;
  part.origin = static_cast<char*>(origin) + (i + j * pitch + k * plane) * Index(stored_bytes(storage));
  part.grid.nx = nx, part.grid.ny = ny, part.grid.nz = nz;
  part.grid.parity = (grid.parity + i + j + k) % 2;
  part.is_box = is_box || nx < grid.nx || ny < grid.ny || nz < grid.nz;
  return part;
}

}  // namespace cfdmark
