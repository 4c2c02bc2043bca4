// Fields as Kokkos views, and the ways to visit every cell that the Kokkos kernels share.
//
// A kernel is a functor body(i, j, k) over the interior cells. `cells(label, grid, body)` with cells =
// KokkosRows or KokkosTiles runs it.
#pragma once

#include <string>
#include <vector>

#include "kernels/backends/kokkos_space.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/core/config.hpp"
#include "kernels/core/operator.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

// A field with its ghosts as an unmanaged view (z, y, x), x contiguous; (0, 0, 0) is the first interior
// cell.
template <class T>
class KokkosField {
 public:
  using Values =
      Kokkos::View<T***, Kokkos::LayoutRight, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  // The rows of a plane are those in memory: a box has fewer of its own.
  explicit KokkosField(const View<T>& v)
      : halo_(v.halo),
        halo_z_(v.plane != 0 ? v.halo : 0),
        values_(&v(-halo_, -halo_, -halo_z_), v.nz + 2 * halo_z_,
                v.plane != 0 ? v.plane / v.pitch : v.ny + 2 * halo_, v.pitch) {}
  explicit KokkosField(const AnyView& field) : KokkosField(field.as<T>()) {}

  // 64-bit indices: some versions keep extents in 32 unsigned bits, whose wrapping would hide that x is
  // contiguous.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Index i, Index j, Index k) const {
    return values_(k + halo_z_, j + halo_, i + halo_);
  }
  // Elements to the neighbour in y, and in z.
  KOKKOS_FORCEINLINE_FUNCTION Index pitch() const { return values_.stride(1); }
  KOKKOS_FORCEINLINE_FUNCTION Index plane() const { return values_.stride(0); }

 private:
  int halo_, halo_z_;
  Values values_;
};

// Reads u around cell (i, j, k) for the formulas, in the compute type C.
template <class C, class Field>
struct KokkosNeighbourhood {
  const Field& u;
  KokkosIndex i, j, k;
  KOKKOS_FORCEINLINE_FUNCTION C operator()(int di, int dj, int dk = 0) const {
    return C(u(i + di, j + dj, k + dk));
  }
};

// Put together without fmt: nvcc, which compiles this where Kokkos has a CUDA device, does not accept it in
// C++20.
inline std::string kokkos_tile_text(int x, int y, int z) {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

// Cells in tiles, the tiles in parallel: MDRangePolicy.
struct KokkosTiles {
  int x, y, z;

  KokkosTiles(int tile_x, int tile_y, int tile_z) : x(tile_x), y(tile_y), z(tile_z) {}
  explicit KokkosTiles(const Config& c)
      : KokkosTiles(c.whole("tile_x"), c.whole("tile_y"), c.whole("tile_z")) {}

  std::string text() const { return kokkos_tile_text(x, y, z); }

  template <class Body>
  void operator()(const char* label, const Grid& grid, const Body& body) const {
    // x is the first index and runs fastest, within a tile and over the tiles, on every device.
    using Order = Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
    using Policy = Kokkos::MDRangePolicy<KokkosExec, Order, Kokkos::IndexType<KokkosIndex>>;
    Kokkos::parallel_for(label, Policy({0, 0, 0}, {grid.nx, grid.ny, grid.nz}, {x, y, std::min(z, grid.nz)}),
                         body);
  }
};

// A row of cells in vectors. Only hosts run it. A body whose cells depend on each other's old values says
// itself how a row is done: body.row(j, k, nx).
template <class Body>
struct KokkosRow {
  Body body;
  int nx, ny;

  // Everything inlined, and the body's views on the stack where no store can reach them: else there are no
  // vectors.
  [[gnu::flatten]] void operator()(Index row) const {
    const Body cell = body;
    const int j = int(row % ny), k = int(row / ny);
    if constexpr (requires { cell.row(j, k, nx); }) {
      cell.row(j, k, nx);
    } else {
      CFDMARK_INDEPENDENT_ITERATIONS
      for (int i = 0; i < nx; ++i) cell(i, j, k);
    }
  }
};

// The plain way: whole rows in equal shares a thread on a host; on a device tiles of two warps' width.
struct KokkosRows {
  std::string text() const { return kokkos_on_host ? "rows" : device_tiles().text(); }

  template <class Body>
  void operator()(const char* label, const Grid& grid, const Body& body) const {
    if constexpr (kokkos_on_host)
      Kokkos::parallel_for(label, kokkos_shares(Index(grid.ny) * grid.nz),
                           KokkosRow<Body>{body, grid.nx, grid.ny});
    else
      device_tiles()(label, grid, body);
  }

 private:
  static KokkosTiles device_tiles() { return {64, 4, 1}; }
};

// A device cannot have more threads than this in a tile.
inline std::string kokkos_tile_constraint(const Config& c) {
  const long long threads = 1LL * c.whole("tile_x") * c.whole("tile_y") * c.whole("tile_z");
  if (kokkos_on_host || threads <= 1024) return "";
  return "a tile of " + std::to_string(threads) + " cells: a device has at most 1024 threads in one";
}

inline Setting kokkos_tile_setting(const std::string& side, std::vector<Value> values, int fallback) {
  return {"tile_" + side, std::move(values), fallback, "cells of a tile along " + side};
}

inline TuningSpace kokkos_tile_space() {
  if constexpr (kokkos_on_host)
    return {{kokkos_tile_setting("x", {64, 256, 1024, 4096}, 1024),
             kokkos_tile_setting("y", {1, 4, 16, 64}, 16), kokkos_tile_setting("z", {1, 4}, 1)}};
  else
    return {{kokkos_tile_setting("x", {16, 32, 64, 128, 256}, 64),
             kokkos_tile_setting("y", {1, 2, 4, 8, 16}, 4), kokkos_tile_setting("z", {1, 4}, 1)},
            kokkos_tile_constraint};
}

// A step with the threads and the tile that it uses noted.
template <class Run>
Step kokkos_step(std::string tile, Run run) {
  Step step;
  step.run = std::move(run);
  step.resources.threads = kokkos_on_host ? kokkos_concurrency() : 0;
  step.resources.tile = std::move(tile);
  return step;
}

// One sweep, or several one after the other.
template <class Cells, class Body>
Step kokkos_step(const char* label, const Cells& cells, const Grid& grid, const std::vector<Body>& sweeps) {
  return kokkos_step(cells.text(), [=] {
    for (const Body& body : sweeps) cells(label, grid, body);
  });
}
template <class Cells, class Body>
Step kokkos_step(const char* label, const Cells& cells, const Grid& grid, const Body& body) {
  return kokkos_step(label, cells, grid, std::vector<Body>{body});
}

}  // namespace cfdmark
