// Device code of the generated CUDA methods for kernels with a cell body (cells/cell.hpp). NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/device/cuda/primitives/device_reduction.cuh"

namespace cfdmark {

// Method `plain`: one thread per cell. Threads of cells that the pass skips return at once.
template <class K, class V, int most_threads>
__global__ void __launch_bounds__(most_threads)
    cells_plain(K kernel, typename K::template Fields<V> fields, Cells cells) {
  const Cell c = thread_cell<>();
  if (!holds(cells, c)) return;
  if constexpr (every_second_cell<K>)
    if ((c.i + kernel.first(c.j, c.k)) & 1) return;
  sweep_cell<V>(started(kernel), fields, c.i, c.j, c.k);
}

// Values of fields on `width` neighbouring cells of a row, loaded and stored 16 bytes at a time.
template <class S, int width>
struct InPack {
  Pack<S, width> values;
};
template <class S, int width>
struct OutPack {
  S* first;
  Pack<S, width> values;
};
template <class S, int width>
struct InOutPack : OutPack<S, width> {};

template <class V, int width>
struct Packs {
  using S = typename V::Stored;
  using In = InPack<S, width>;
  using OtherIn = InPack<typename V::OtherStored, width>;
  using Out = OutPack<S, width>;
  using InOut = InOutPack<S, width>;
};

template <class V, int width>
struct LoadPacks {
  using S = typename V::Stored;
  using X = typename V::OtherStored;
  Cell c;

  template <class T>
  __device__ __forceinline__ T* first(const View<T>& v) const {
    return v.row(c.j, c.k) + c.i;
  }
  __device__ __forceinline__ InPack<S, width> operator()(const RoleView<Role::in, const S>& v) const {
    return {load_pack<width>(first(v))};
  }
  __device__ __forceinline__ InPack<X, width> operator()(const RoleView<Role::other_in, const X>& v) const {
    return {load_pack<width>(first(v))};
  }
  __device__ __forceinline__ OutPack<S, width> operator()(const RoleView<Role::out, S>& v) const {
    return {first(v), {}};
  }
  __device__ __forceinline__ InOutPack<S, width> operator()(const RoleView<Role::in_out, S>& v) const {
    return {{first(v), load_pack<width>(first(v))}};
  }
};

template <class V>
struct ToPackedCell {
  using C = typename V::Number;
  using Form = AtCell<typename V::Stored, C, V::dims, NoOperator, NoOperator, NoOperator>;
  int n;

  template <class S, int width>
  __device__ __forceinline__ C operator()(const InPack<S, width>& pack) const {
    return C(pack.values.value[n]);
  }
  template <class S, int width>
  __device__ __forceinline__ StoreRef<S, C> operator()(OutPack<S, width>& pack) const {
    return {&pack.values.value[n]};
  }
  template <class S, int width>
  __device__ __forceinline__ OldAndPlace<S, C> operator()(InOutPack<S, width>& pack) const {
    return {&pack.values.value[n], C(pack.values.value[n])};
  }
};

struct StorePacks {
  int i, nx;

  template <class S, int width>
  __device__ __forceinline__ void operator()(const InPack<S, width>&) const {}
  template <class S, int width>
  __device__ __forceinline__ void operator()(const OutPack<S, width>& pack) const {
    store_pack(pack.first, pack.values, i, nx);
  }
};

// Method `vector`: each thread updates as many cells as fill 16 bytes of the narrowest stored field.
template <class K, class V, int most_threads>
__global__ void __launch_bounds__(most_threads)
    cells_vector(K kernel, typename K::template Fields<V> fields, Cells cells) {
  constexpr int stored = sizeof(typename V::Stored), other = sizeof(typename V::OtherStored);
  constexpr int width = 16 / (stored < other ? stored : other);
  const Cell c = thread_cell<width>();
  if (!holds(cells, c)) return;
  auto packs = mapped<K, Packs<V, width>>(fields, LoadPacks<V, width>{c});
  const K ready = started(kernel);
#pragma unroll
  for (int n = 0; n < width; ++n) ready(mapped<K, typename ToPackedCell<V>::Form>(packs, ToPackedCell<V>{n}));
  for_each_field<K>(packs, StorePacks{c.i, cells.nx});
}

// Reads u around a cell of a column that a thread follows along y in 2-D, z in 3-D. The three values on the
// column are in registers, the others in memory.
template <class S, class C, int dims>
struct ColumnNeighbourhood {
  C behind, centre, ahead;
  const S* cell;
  Index pitch, plane;

  __device__ __forceinline__ C operator()(int di, int dj, int dk = 0) const {
    const int along = dims == 3 ? dk : dj;
    if (di == 0 && (dims == 2 || dj == 0)) {
      if (along == 0) return centre;
      if (along == -1) return behind;
      if (along == 1) return ahead;
    }
    return C(cell[di + dj * pitch + (dims == 3 ? dk * plane : 0)]);
  }
};

// The view whose neighbours are read, and the view that is written.
template <class V>
struct Column {
  const View<const typename V::Stored>* u;
  const View<typename V::Stored>* out;
};
template <class V>
struct FindColumn {
  Column<V>& column;

  template <Role r, class T>
  __device__ __forceinline__ void operator()(const RoleView<r, T>& v) const {
    if constexpr (r == Role::stencil_in) column.u = &v;
    if constexpr (r == Role::out) column.out = &v;
  }
  __device__ __forceinline__ void operator()(const typename V::Operator&) const {}
};

template <class V>
struct ToColumnCell : ToCell<V> {
  using S = typename V::Stored;
  using C = typename V::Number;
  using StencilU = ColumnNeighbourhood<S, C, V::dims>;
  using Form = AtCell<S, C, V::dims, CellCoefficients<V>, StencilU, NoOperator>;
  using ToCell<V>::operator();

  StencilU around;
  S* result;

  __device__ __forceinline__ ToColumnCell(Cell c, const StencilU& around_cell, S* to)
      : ToCell<V>{c.i, c.j, c.k}, around(around_cell), result(to) {}
  __device__ __forceinline__ StencilU operator()(const RoleView<Role::stencil_in, const S>&) const {
    return around;
  }
  __device__ __forceinline__ StoreRef<S, C> operator()(const RoleView<Role::out, S>&) const {
    return {result};
  }
};

// Method `column`: each thread updates a column of cells along y in 2-D, z in 3-D, and loads every value on
// the column once. All results are computed before the first store, so that all loads can be in flight
// together.
template <class K, class V, int cells, int most_threads>
__global__ void __launch_bounds__(most_threads)
    cells_column(K kernel, typename K::template Fields<V> fields, Cells all) {
  using S = typename V::Stored;
  using C = typename V::Number;
  constexpr int dims = V::dims, along_y = dims == 2 ? cells : 1, along_z = dims == 3 ? cells : 1;
  const Cell first = thread_cell<1, along_y, along_z>();
  if (!holds(all, first)) return;
  Column<V> found;
  for_each_field<K>(fields, FindColumn<V>{found});
  const View<const S>& u = *found.u;
  const K ready = started(kernel);

  const int begin = dims == 3 ? first.k : first.j, end = dims == 3 ? all.nz : all.ny;
  const Index stride = dims == 3 ? u.plane : u.pitch;
  const S* column = u.row(first.j, first.k) + first.i;
  S result[cells];
  C behind = C(column[-stride]), centre = C(column[0]);
#pragma unroll
  for (int n = 0; n < cells; ++n) {
    const int step = min(n, end - 1 - begin);  // past the end: the last cell again, not stored
    const S* cell = column + step * stride;
    const C ahead = C(cell[stride]);
    const Cell at = {first.i, dims == 3 ? first.j : begin + step, dims == 3 ? begin + step : first.k};
    const ColumnNeighbourhood<S, C, dims> around{behind, centre, ahead, cell, u.pitch, u.plane};
    ready(mapped<K, typename ToColumnCell<V>::Form>(fields, ToColumnCell<V>(at, around, &result[n])));
    behind = centre;
    centre = ahead;
  }
  S* to = found.out->row(first.j, first.k) + first.i;
  const Index stride_out = dims == 3 ? found.out->plane : found.out->pitch;
#pragma unroll
  for (int n = 0; n < cells; ++n)
    if (begin + n < end) to[n * stride_out] = result[n];
}

__device__ __forceinline__ int cells_of_row(const Cells& rows, int, int) { return rows.nx; }
__device__ __forceinline__ int cells_of_row(const LoopRows& rows, int row, int all) {
  return row == all - 1 ? rows.last : rows.nx;
}

// Reduces the cells' numbers to one result per block. The grid and the config fix which thread reads which
// cell and the order of operations, so the bits are the same in every run.
//
// Rows of threads take the rows of the grid in turn, with a stride of all rows of threads. A thread takes
// `width` neighbouring cells at a time. It accumulates each row in the arithmetic type and everything else in
// double. The block shape is a compile-time constant: with a run-time shape, register use costs occupancy.
// Rows: Cells, or LoopRows for a flat grid, whose last row is shorter. The former needs fewer registers.
template <class K, class V, class Rows, int block_x, int block_y, int width>
__global__ void __launch_bounds__(block_x* block_y)
    cells_joined(K kernel, typename K::template Fields<V> fields, Rows rows, double* of_blocks) {
  using C = typename V::Number;
  using Op = typename K::Reduction;
  const K ready = started(kernel);
  const int row_stride = int(gridDim.x) * block_y, all = rows.ny * rows.nz;
  double total = 0;
  for (int row = int(blockIdx.x) * block_y + int(threadIdx.y); row < all; row += row_stride) {
    const int j = row % rows.ny, k = row / rows.ny, nx = cells_of_row(rows, row, all);
    C running[width] = {};
#pragma unroll 4
    for (int i = int(threadIdx.x) * width; i < nx; i += block_x * width) {
      if constexpr (width == 1) {
        running[0] = Op::add(running[0], sweep_cell<V>(ready, fields, i, j, k));
      } else {
        auto packs = mapped<K, Packs<V, width>>(fields, LoadPacks<V, width>{{i, j, k}});
#pragma unroll
        for (int n = 0; n < width; ++n) {
          const auto number = ready(mapped<K, typename ToPackedCell<V>::Form>(packs, ToPackedCell<V>{n}));
          if (i + n < nx) running[n] = Op::add(running[n], number);
        }
        for_each_field<K>(packs, StorePacks{i, nx});
      }
    }
    for (int n = 0; n < width; ++n) total = Op::join(total, double(running[n]));
  }
  total = join_block<Op>(total, thread_of_flat_block(), block_x * block_y);
  if (threadIdx.x == 0 && threadIdx.y == 0) of_blocks[blockIdx.x] = total;
}

// Reduces the blocks' results to one number in a single block.
template <class K, int threads>
__global__ void __launch_bounds__(threads) join_results(const double* of_blocks, int n, double* result) {
  using Op = typename K::Reduction;
  double total = 0;
  for (int m = int(threadIdx.x); m < n; m += threads) total = Op::join(total, of_blocks[m]);
  total = join_block<Op>(total, int(threadIdx.x), threads);
  if (threadIdx.x == 0) *result = total;
}

}  // namespace cfdmark
