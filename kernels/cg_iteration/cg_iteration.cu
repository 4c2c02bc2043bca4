// Device code of cg_iteration.hpp. NVRTC reads this file, so it includes no standard header.
//
// A fixed number of blocks share the tiles of the grid, or each has some tiles of a band of rows, so that
// ranks can join their sums in the order of the domain; a thread has a column of cells in each tile. The
// block shape is a compile-time constant, because tile positions are found by divisions by it. All values of
// a column are computed before the first store, so that all loads can be in flight together.
#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/device/cuda/primitives/device_reduction.cuh"

namespace cfdmark {

// A column of cells from `first` on, along y in 2-D and z in 3-D. inside(n) is false past the end of the
// grid.
template <int dims>
struct Column {
  Cell first;
  int length;    // cells from the first to the end of the grid
  Index stride;  // elements from a cell to the next
  Index start;   // elements from the field's origin to the first cell

  template <class T>
  __device__ __forceinline__ Column(const View<T>& grid, Cell cell)
      : first(cell),
        length(dims == 3 ? grid.nz - cell.k : grid.ny - cell.j),
        stride(dims == 3 ? grid.plane : grid.pitch),
        start(cell.i + cell.j * grid.pitch + cell.k * grid.plane) {}

  __device__ __forceinline__ bool inside(int n) const { return n < length; }
  // Past the end: repeats the last cell, so that every load has a valid address.
  __device__ __forceinline__ int step(int n) const { return min(n, length - 1); }
  __device__ __forceinline__ Cell cell(int n) const {
    return {first.i, dims == 3 ? first.j : first.j + step(n), dims == 3 ? first.k + step(n) : first.k};
  }
  __device__ __forceinline__ Index offset(int n) const { return start + step(n) * stride; }
};

// Calls f(column) for each column of this thread; of tiles, x runs fastest. run = 0: blocks take tiles
// round-robin. Else a block takes up to `run` tiles of one row of tiles, and the next block those behind
// them; a block below the grid takes none.
template <int dims, int block_x, int block_y, int cells, int run, class T, class F>
__device__ __forceinline__ void for_each_column(const View<T>& grid, const F& f) {
  constexpr int x = block_x, y = dims == 2 ? block_y * cells : block_y, z = dims == 2 ? 1 : cells;
  const int across = (grid.nx + x - 1) / x, down = (grid.ny + y - 1) / y, deep = (grid.nz + z - 1) / z;
  int begin = int(blockIdx.x), end = across * down * deep, by = int(gridDim.x);
  if constexpr (run > 0) {
    const int blocks_of_row = (across + run - 1) / run, first = begin % blocks_of_row * run;
    const int row = min(begin / blocks_of_row, down * deep);
    end = row < down * deep ? row * across + min(first + run, across) : 0;
    begin = row * across + first, by = 1;
  }
  for (int tile = begin; tile < end; tile += by) {
    const int row = tile / across;
    const Cell first = {tile % across * x + int(threadIdx.x),
                        row % down * y + int(threadIdx.y) * (dims == 2 ? cells : 1), row / down * z};
    if (holds(grid, first)) f(Column<dims>(grid, first));
  }
}

// Stores the sum over the threads of all blocks at `result`; with runs that of each block, at result[block].
template <int run, int threads>
__device__ __forceinline__ void store_sum(double total, const BlockResults& blocks, double* result) {
  if constexpr (run == 0) {
    join_blocks<SumOperation>(total, thread_of_flat_block(), threads, blocks, result);
  } else {
    total = join_block<SumOperation>(total, thread_of_flat_block(), threads);
    if (thread_of_flat_block() == 0) result[blockIdx.x] = total;
  }
}

// p as stored in memory.
template <class S, class C>
struct StoredDirection {
  const S* p;
  __device__ __forceinline__ C operator()(Index offset) const { return C(p[offset]); }
};
// p as it will be stored: computed from r and p_before.
template <class S, class C>
struct NewDirection {
  const S *r, *p_before;
  C beta;
  __device__ __forceinline__ C operator()(Index offset) const {
    return C(S(cg_direction_value(C(r[offset]), beta, C(p_before[offset]))));
  }
};

// Reads p around a cell of a column; the three values on the column are in registers.
template <class C, int dims, class Direction>
struct StencilInColumn {
  C behind, centre, ahead;
  const Direction& p;
  Index cell, pitch;

  __device__ __forceinline__ C operator()(int di, int dj, int dk) const {
    const int along = dims == 3 ? dk : dj;
    if (along < 0) return behind;
    if (along > 0) return ahead;
    if (di == 0 && (dims == 2 || dj == 0)) return centre;
    return p(cell + di + (dims == 3 ? dj * pitch : 0));
  }
};

// Calls visit(n, accessor of p around cell n) for the cells of a column.
template <class C, int dims, int cells, class Direction, class F>
__device__ __forceinline__ void walk(const Column<dims>& column, const Direction& p, Index pitch,
                                     const F& visit) {
  C behind = p(column.start - column.stride), centre = p(column.start);
#pragma unroll
  for (int n = 0; n < cells; ++n) {
    const Index cell = column.offset(n);
    const C ahead = p(cell + column.stride);
    visit(n, StencilInColumn<C, dims, Direction>{behind, centre, ahead, p, cell, pitch});
    behind = centre;
    centre = ahead;
  }
}

template <int cells, int dims, class S>
__device__ __forceinline__ void store(const S (&values)[cells], const Column<dims>& column,
                                      const View<S>& field) {
#pragma unroll
  for (int n = 0; n < cells; ++n)
    if (column.inside(n)) field.origin[column.start + n * column.stride] = values[n];
}

// Computes p = r + beta p_before and, if kept, q = A p; the result is p . A p.
template <class S, class C, class A, int dims, int keeps, int block_x, int block_y, int cells, int run>
__global__ void __launch_bounds__(block_x* block_y)
    cg_direction(A a, Scalar factor, View<const S> r, View<const S> p_before, View<S> p, View<S> q,
                 BlockResults blocks, double* result) {
  const NewDirection<S, C> direction{r.origin, p_before.origin, scalar_value<C>(factor)};
  double total = 0;
  for_each_column<dims, block_x, block_y, cells, run>(p, [&](const Column<dims>& column) {
    S new_p[cells], kept[keeps ? cells : 1];
    C running = 0;
    walk<C, dims, cells>(column, direction, p.pitch, [&](int n, const auto& around) {
      const Cell c = column.cell(n);
      new_p[n] = S(around(0, 0, 0));
      const S product = S(stencil_apply<dims, C>(a.template at<dims>(c.i, c.j, c.k), around));
      if (keeps) kept[n] = product;
      if (column.inside(n)) running = SumOperation::add(running, Product<C>{C(new_p[n]), C(product)});
    });
    store(new_p, column, p);
    if constexpr (keeps) store(kept, column, q);
    total += double(running);
  });
  store_sum<run, block_x * block_y>(total, blocks, result);
}

// Computes A p on the cells of a column, or reads it from q.
template <class S, class C, int dims, bool keeps, int cells, class A>
__device__ __forceinline__ void product_of(S (&product)[cells], const A& a, const Column<dims>& column,
                                           const View<const S>& p, const View<const S>& q) {
  if constexpr (keeps) {
#pragma unroll
    for (int n = 0; n < cells; ++n) product[n] = q.origin[column.offset(n)];
  } else {
    walk<C, dims, cells>(column, StoredDirection<S, C>{p.origin}, p.pitch, [&](int n, const auto& around) {
      const Cell c = column.cell(n);
      product[n] = S(stencil_apply<dims, C>(a.template at<dims>(c.i, c.j, c.k), around));
    });
  }
}

// Computes u = u + alpha p and r = r - alpha A p; the result is r . r.
template <class S, class C, class A, int dims, int keeps, int block_x, int block_y, int cells, int run>
__global__ void __launch_bounds__(block_x* block_y)
    cg_update(A a, Scalar factor, View<const S> p, View<const S> q, View<S> u, View<S> r, BlockResults blocks,
              double* result) {
  const C alpha = scalar_value<C>(factor);
  double total = 0;
  for_each_column<dims, block_x, block_y, cells, run>(u, [&](const Column<dims>& column) {
    S new_u[cells], new_r[cells], product[cells];
    product_of<S, C, dims, keeps == 1>(product, a, column, p, q);
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      const Index cell = column.offset(n);
      new_u[n] = S(cg_solution_value(C(u.origin[cell]), alpha, C(p.origin[cell])));
      new_r[n] = S(cg_residual_value(C(r.origin[cell]), alpha, C(product[n])));
    }
    store(new_u, column, u);
    store(new_r, column, r);
    C running = 0;
    for (int n = 0; n < cells; ++n)
      if (column.inside(n)) running = SumOperation::add(running, Product<C>{C(new_r[n]), C(new_r[n])});
    total += double(running);
  });
  store_sum<run, block_x * block_y>(total, blocks, result);
}

// Joins the sums of blocks in order, as store_sum() with runs leaves them. One block.
template <int threads>
__global__ void __launch_bounds__(threads) join_sums(const double* of_blocks, int n, double* result) {
  double total = 0;
  for (int m = int(threadIdx.x); m < n; m += threads) total += of_blocks[m];
  total = join_block<SumOperation>(total, int(threadIdx.x), threads);
  if (threadIdx.x == 0) *result = total;
}

}  // namespace cfdmark
