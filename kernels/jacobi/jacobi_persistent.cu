// Many Jacobi iterations of a small grid kept in registers; see register_tile.cuh. NVRTC reads this file, so
// it includes no standard header.
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/register_tile.cuh"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"

namespace cfdmark {

// One iteration in place. `south` keeps the old values of a row for the row north of it.
template <class C, class A, class Tile, class Row, int cells, int rows>
__device__ __forceinline__ void relax(Tile& tile, const A& a, const Row (&right)[rows]) {
  using S = decltype(+right[0].value[0]);
  const auto beside = tile.beside();
  Row south = beside.south;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    Row& row = tile.row(r);
    const Row old = row;
    const Row& north = r == rows - 1 ? beside.north : tile.row(r == rows - 1 ? r : r + 1);
    const S west = __shfl_up_sync(0xffffffffu, old.value[cells - 1], 1),
            east = __shfl_down_sync(0xffffffffu, old.value[0], 1);
    const bool inside = tile.holds_row(r);
#pragma unroll
    for (int m = 0; m < cells; ++m) {
      const FivePoints<S, C> around{old.value[m], m == 0 ? west : old.value[m == 0 ? 0 : m - 1],
                                    m == cells - 1 ? east : old.value[m == cells - 1 ? m : m + 1],
                                    south.value[m], north.value[m]};
      const S relaxed = S(stencil_relax<2, C>(a, around, C(right[r].value[m])));
      row.value[m] = inside && tile.holds_column(m) ? relaxed : old.value[m];
    }
    south = old;
  }
  tile.share();
}

// Performs `sweeps` iterations from u into `out`.
template <class S, class C, class A, class B, int cells, int rows, int warps, int depth>
__global__ void __launch_bounds__(32 * warps, 1)
    jacobi_persistent(A a, View<const S> u, B b, View<S> out, View<S> through, View<S> through_next,
                      int sweeps, unsigned* arrived) {
  using Tile = RegisterTile<S, cells, rows, warps, depth>;
  using Row = typename Tile::Row;
  Tile tile(u.nx, u.ny, 0);
  Row right[rows] = {};
  if constexpr (has_source<B>) {
#pragma unroll
    for (int r = 0; r < rows; ++r) right[r] = tile.load(b, r);
  }
  tile.load(u);
  tile.share();
  for (int done = 0; done < sweeps;) {
    const int next = Tile::is_alone() ? sweeps : min(done + depth, sweeps);
    for (; done < next; ++done) relax<C, A, Tile, Row, cells, rows>(tile, a, right);
    if (done == sweeps) break;
    tile.exchange(through, arrived);
    const View<S> other = through_next;
    through_next = through, through = other;
  }
  tile.store(out);
}

}  // namespace cfdmark
