// Many red-black iterations of a small grid kept in registers; see register_tile.cuh. A half-step relaxes
// half of a tile's cells in place, reading the other half. NVRTC reads this file, so it includes no standard
// header.
#include "kernels/core/reciprocal.hpp"
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/register_tile.cuh"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"

namespace cfdmark {

// The coefficients of a lane's cells: constant, or array values kept in registers.
template <class A, class Tile, int rows>
struct TileStencil {
  static constexpr bool has_reciprocals = false;
  A everywhere;
  __device__ TileStencil(const Tile&, const A& a) : everywhere(a) {}
  __device__ __forceinline__ const A& at(int, int) const { return everywhere; }
};
// Arrays come with the reciprocals of the diagonal, for quotients without branches (reciprocal.hpp).
template <class S, class C, class Tile, int rows>
struct TileStencil<StencilArrays<S, C>, Tile, rows> {
  static constexpr bool has_reciprocals = true;
  static constexpr int cells = Tile::shape.cells;
  typename Tile::Row west[rows], east[rows], south[rows], north[rows], centre[rows];
  C reciprocal[rows][cells];
  bool divides = false;  // true if a diagonal is unsafe: quotients then use division
  __device__ TileStencil(const Tile& tile, const StencilArrays<S, C>& a) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      west[r] = tile.load(a.west, r), east[r] = tile.load(a.east, r);
      south[r] = tile.load(a.south, r), north[r] = tile.load(a.north, r);
      centre[r] = tile.load(a.centre, r);
#pragma unroll
      for (int m = 0; m < cells; ++m) {
        if (!(tile.holds_row(r) && tile.holds_column(m))) {
          west[r].value[m] = east[r].value[m] = south[r].value[m] = north[r].value[m] = S(0);
          centre[r].value[m] = S(1);
        }
        reciprocal[r][m] = safe_reciprocal(C(centre[r].value[m]));
        divides = divides | !has_safe_reciprocal(C(centre[r].value[m]));
      }
    }
  }
  __device__ __forceinline__ CellStencil<C> at(int r, int m) const {
    return {C(west[r].value[m]),  C(east[r].value[m]), C(south[r].value[m]), C(north[r].value[m]), C(0), C(0),
            C(centre[r].value[m])};
  }
};

// Calls relax(n, m, values around, row) for cells m = first, first + 2, ... of row r of the lane's patch, the
// n-th of which is m. All lanes call it.
template <class C, int cells, int rows, class Tile, class Relax>
__device__ __forceinline__ void for_cells_of_row(Tile& tile, const typename Tile::Beside& beside, int r,
                                                 int first, const Relax& relax) {
  auto& row = tile.row(r);
  const auto& south = r == 0 ? beside.south : tile.row(r == 0 ? 0 : r - 1);
  const auto& north = r == rows - 1 ? beside.north : tile.row(r == rows - 1 ? r : r + 1);
  const auto beyond = first == 0 ? __shfl_up_sync(0xffffffffu, row.value[cells - 1], 1)
                                 : __shfl_down_sync(0xffffffffu, row.value[0], 1);
#pragma unroll
  for (int n = 0; n < cells / 2; ++n) {
    const int m = 2 * n + first;
    const FivePoints<decltype(+row.value[0]), C> around{
        row.value[m], m == 0 ? beyond : row.value[m == 0 ? 0 : m - 1],
        m == cells - 1 ? beyond : row.value[m == cells - 1 ? m : m + 1], south.value[m], north.value[m]};
    relax(n, m, around, row);
  }
}

// start: first cell, 0 or 1, of every second cell that is relaxed in the lane's first row.
template <int start, class C, class A, class Tile, class Row, int cells, int rows>
__device__ __forceinline__ void half_sweep(Tile& tile, const TileStencil<A, Tile, rows>& a,
                                           const Row (&right)[rows], C omega) {
  using Value = decltype(+right[0].value[0]);
  const auto beside = tile.beside();
  const auto put = [&](int r, int m, Row& row, C relaxed) {
    row.value[m] = tile.holds_row(r) && tile.holds_column(m) ? Value(relaxed) : row.value[m];
  };
  if constexpr (!TileStencil<A, Tile, rows>::has_reciprocals) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
      for_cells_of_row<C, cells, rows>(
          tile, beside, r, (start + r) % 2, [&](int, int m, const auto& around, Row& row) {
            put(r, m, row, stencil_over_relax<2, C>(a.at(r, m), around, C(right[r].value[m]), omega));
          });
  } else {
    // All quotients come first: one rare branch serves them all, and their chains of operations overlap.
    C dividends[rows][cells / 2], quotients[rows][cells / 2];
    bool divides = a.divides;
#pragma unroll
    for (int r = 0; r < rows; ++r)
      for_cells_of_row<C, cells, rows>(
          tile, beside, r, (start + r) % 2, [&](int n, int m, const auto& around, Row&) {
            const CellStencil<C> cell = a.at(r, m);
            const C dividend = cell.template neighbours<2>(around, C(right[r].value[m]));
            dividends[r][n] = dividend;
            quotients[r][n] = quotient_by_reciprocal(dividend, cell.centre, a.reciprocal[r][m]);
            divides = divides | !is_safe_dividend(dividend);
          });
    if (divides)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int n = 0; n < cells / 2; ++n)
          quotients[r][n] = a.at(r, 2 * n + (start + r) % 2).divide_by_diagonal(dividends[r][n]);
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int n = 0; n < cells / 2; ++n) {
        const int m = 2 * n + (start + r) % 2;
        const C old = tile.row(r).value[m];
        // As stencil_over_relax().
        put(r, m, tile.row(r), multiply_add(omega, quotients[r][n] - old, old));
      }
  }
  tile.share();
}

// Performs `sweeps` iterations on u. first_colour: (i + j) & 1 of the cells relaxed first.
template <class S, class C, class A, class B, int cells, int rows, int warps, int depth>
__global__ void __launch_bounds__(32 * warps, 1)
    red_black_persistent(A a, View<S> u, B b, View<S> through, View<S> through_next, C omega, int sweeps,
                         int first_colour, unsigned* arrived) {
  using Tile = RegisterTile<S, cells, rows, warps, 2 * depth>;
  using Row = typename Tile::Row;
  Tile tile(u.nx, u.ny, first_colour);
  Row right[rows] = {};
  if constexpr (has_source<B>) {
#pragma unroll
    for (int r = 0; r < rows; ++r) right[r] = tile.load(b, r);
  }
  const TileStencil<A, Tile, rows> stencil(tile, a);
  tile.load(read_only(u));
  tile.share();
  const bool alone = Tile::is_alone();
  // No tile may write u before all have read it.
  if (!alone && sweeps <= depth) grid_barrier(arrived);
  for (int done = 0; done < sweeps;) {
    const int next = alone ? sweeps : min(done + depth, sweeps);
    for (; done < next; ++done) {
      half_sweep<0, C, A, Tile, Row, cells, rows>(tile, stencil, right, omega);
      half_sweep<1, C, A, Tile, Row, cells, rows>(tile, stencil, right, omega);
    }
    if (done == sweeps) break;
    tile.exchange(through, arrived);
    const View<S> other = through_next;
    through_next = through, through = other;
  }
  tile.store(u);
}

}  // namespace cfdmark
