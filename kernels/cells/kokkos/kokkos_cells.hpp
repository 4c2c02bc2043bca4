// Fields as Kokkos views, and the iteration patterns shared by the Kokkos kernels.
//
// A kernel is a functor body(i, j, k) over the interior cells. KokkosRows or KokkosTiles run it: cells(label,
// grid, body).
#pragma once

#include <string>
#include <vector>

#include "kernels/core/config.hpp"
#include "kernels/core/operator.hpp"
#include "kernels/core/step.hpp"
#include "kernels/device/cpu/row_stencil.hpp"
#include "kernels/device/kokkos/kokkos_space.hpp"

namespace cfdmark {

// A field with its ghosts as an unmanaged view (z, y, x), x contiguous. (0, 0, 0) is the first interior cell.
template <class T>
class KokkosField {
 public:
  using Values =
      Kokkos::View<T***, Kokkos::LayoutRight, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  // The view has all rows of a plane in memory; a box covers only some of them.
  explicit KokkosField(const View<T>& v)
      : halo_(v.halo),
        halo_z_(v.plane != 0 ? v.halo : 0),
        values_(&v(-halo_, -halo_, -halo_z_), v.nz + 2 * halo_z_,
                v.plane != 0 ? v.plane / v.pitch : v.ny + 2 * halo_, v.pitch) {}
  explicit KokkosField(const AnyView& field) : KokkosField(field.as<T>()) {}

  // 64-bit indices: some Kokkos versions keep extents as 32-bit unsigned, whose wrap-around hides that x is
  // contiguous.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Index i, Index j, Index k) const {
    return values_(k + halo_z_, j + halo_, i + halo_);
  }
  // Elements to the neighbour in y and in z.
  KOKKOS_FORCEINLINE_FUNCTION Index pitch() const { return values_.stride(1); }
  KOKKOS_FORCEINLINE_FUNCTION Index plane() const { return values_.stride(0); }

 private:
  int halo_, halo_z_;
  Values values_;
};

// Reads u around cell (i, j, k) in the arithmetic type C.
template <class C, class Field>
struct KokkosNeighbourhood {
  const Field& u;
  KokkosIndex i, j, k;
  KOKKOS_FORCEINLINE_FUNCTION C operator()(int di, int dj, int dk = 0) const {
    return C(u(i + di, j + dj, k + dk));
  }
};

// Returns "64x4x1". Without fmt, which nvcc does not accept in C++20.
inline std::string kokkos_tile_text(int x, int y, int z) {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

// A pass over every second cell of a row, starting at body.first(j, k).
template <class Body>
concept KokkosSecondCells = requires(const Body& body) {
  body.first(0, 0);
};

// Work of one device thread: the cells of a column in `rows` rows. For passes over every second cell a column
// is two cells wide.
template <class Body>
struct KokkosColumn {
  Body body;
  int nx, ny, rows;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int x, int y, int k) const {
    const int begin = y * rows, end = begin + rows < ny ? begin + rows : ny;
    // Unrolling would keep values of several rows in registers and reduce occupancy.
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int j = begin; j < end; ++j) {
      if constexpr (KokkosSecondCells<Body>) {
        const int i = 2 * x + body.first(j, k);
        if (i < nx) body(i, j, k);
      } else {
        body(x, j, k);
      }
    }
  }
};

// Cells in parallel tiles: MDRangePolicy. On a device a tile is a thread block.
struct KokkosTiles {
  int x, y, z;
  int rows = 1;  // rows per thread

  KokkosTiles(int tile_x, int tile_y, int tile_z, int thread_rows)
      : x(tile_x), y(tile_y), z(tile_z), rows(thread_rows) {}
  explicit KokkosTiles(const Config& c)
      : KokkosTiles(c.integer("tile_x"), c.integer("tile_y"), c.integer("tile_z"),
                    c.has("thread_rows") ? c.integer("thread_rows") : 1) {}

  std::string text(const Grid&) const {
    return kokkos_tile_text(x, y, z) + (rows > 1 ? " of " + std::to_string(rows) + " rows a thread" : "");
  }

  template <class Body>
  void operator()(const char* label, const Grid& grid, const Body& body) const {
    if constexpr (kokkos_on_host)
      visit(label, grid.nx, grid.ny, grid.nz, body);
    else
      visit(label, KokkosSecondCells<Body> ? (grid.nx + 1) / 2 : grid.nx, (grid.ny + rows - 1) / rows,
            grid.nz, KokkosColumn<Body>{body, grid.nx, grid.ny, rows});
  }

 private:
  template <class Body>
  void visit(const char* label, int nx, int ny, int nz, const Body& body) const {
    // x is the first index and runs fastest, within and across tiles, on every device.
    using Order = Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
    using Policy = Kokkos::MDRangePolicy<KokkosExec, Order, Kokkos::IndexType<KokkosIndex>>;
    Kokkos::parallel_for(label, Policy({0, 0, 0}, {nx, ny, nz}, {x, y, std::min(z, nz)}), body);
  }
};

// One row of cells, vectorised; for hosts only. A body whose cells depend on old values of each other
// supplies its own row loop: body.row(j, k, nx).
template <class Body>
struct KokkosRow {
  Body body;
  LoopRows rows;

  // Everything is inlined and the body copied to the stack, where no store can alias it: otherwise the loop
  // is not vectorised.
  [[gnu::flatten]] void operator()(Index row) const {
    const Body cell = body;
    const int j = int(row % rows.ny), k = int(row / rows.ny), nx = rows.cells(row);
    if constexpr (requires { cell.row(j, k, nx); }) {
      cell.row(j, k, nx);
    } else {
      CFDMARK_INDEPENDENT_ITERATIONS
      for (int i = 0; i < nx; ++i) cell(i, j, k);
    }
  }
};

// Runs body(row) for each row on a host. One loop serves every body, so that Kokkos's code is compiled once.
// Loops of Kokkos's host spaces have ended when they return.
struct KokkosRowCall {
  const void* body;
  void (*call)(const void* body, Index row);
  void operator()(Index row) const { call(body, row); }
};
template <class Body>
void kokkos_rows(const char* label, Index rows, const Body& body) {
  Kokkos::parallel_for(label, kokkos_shares(rows), KokkosRowCall{&body, [](const void* of, Index row) {
                                                                   (*static_cast<const Body*>(of))(row);
                                                                 }});
}

// The plain method. On a host each thread takes an equal share of whole rows; on a device tiles are 64
// threads wide.
struct KokkosRows {
  std::string text(const Grid& grid) const { return kokkos_on_host ? "rows" : device_tiles(grid).text(grid); }

  template <class Body>
  void operator()(const char* label, const Grid& grid, const Body& body) const {
    if constexpr (kokkos_on_host) {
      const LoopRows rows(grid);
      kokkos_rows(label, rows.count(), KokkosRow<Body>{body, rows});
    } else {
      device_tiles(grid)(label, grid, body);
    }
  }

 private:
  // Several rows per thread amortise index arithmetic, unless the grid is too small to occupy all threads of
  // the device.
  static KokkosTiles device_tiles(const Grid& grid) {
    constexpr int rows = 4;
    return {64, 4, 1, grid.cells() < rows * Index(kokkos_concurrency()) ? 1 : rows};
  }
};

// Returns the settings of KokkosTiles: extents of a tile, and rows per thread on a device.
TuningSpace kokkos_tile_space();

// Returns a step that records its thread count and tile.
template <class Run>
Step kokkos_step(std::string tile, Run run) {
  Step step;
  step.run = std::move(run);
  step.resources.threads = kokkos_on_host ? kokkos_concurrency() : 0;
  step.resources.tile = std::move(tile);
  return step;
}

// Returns a step of one or several passes in order.
template <class Cells, class Body>
Step kokkos_step(const char* label, const Cells& cells, const Grid& grid, const std::vector<Body>& sweeps) {
  return kokkos_step(cells.text(grid), [=] {
    for (const Body& body : sweeps) cells(label, grid, body);
  });
}
template <class Cells, class Body>
Step kokkos_step(const char* label, const Cells& cells, const Grid& grid, const Body& body) {
  return kokkos_step(label, cells, grid, std::vector<Body>{body});
}

}  // namespace cfdmark
