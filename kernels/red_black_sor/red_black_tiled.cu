// Several red-black iterations in one pass over memory. NVRTC reads this file, so it includes no standard
// header.
//
// A block copies a tile (its own cells and 2 depth layers around them) into shared memory and performs up to
// `depth` iterations there. The outermost layer is never updated, so each half-step invalidates one more
// layer. Tiles overlap by that many layers, so a block's own cells in the middle stay correct:
//
//     copied            after a sweep       after depth sweeps
//     o o o o o o o     . . . . . . .       . . . . . . .
//     o o o o o o o     . . . . . . .       . . . . . . .      o  equal to plain iterations
//     o o o o o o o     . . o o o . .  ...  . . . . . . .      .  invalid
//     o o o o o o o     . . o o o . .       . . . o . . .
//
// Input and output are different arrays, because other blocks still need the old values. A thread keeps the
// coefficients and the right-hand side of its cells, a pair of neighbours in each of `rows` rows, in
// registers. Red and black are stored apart, as in red_black_split: cell h of a row of a colour belongs to
// pair h.
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"

namespace cfdmark {

// The coefficients of n cells. Constant ones take no registers, edged ones only those that differ.
template <class A, int n>
struct HeldCoefficients;
template <class C, int n>
struct HeldCoefficients<ConstantStencil<C>, n> {
  ConstantStencil<C> a;
  __device__ explicit HeldCoefficients(const ConstantStencil<C>& all) : a(all) {}
  __device__ __forceinline__ void load(int, int, int) {}
  __device__ __forceinline__ const ConstantStencil<C>& operator[](int) const { return a; }
};
template <class C, int n>
struct HeldCoefficients<EdgedStencil<C>, n> {
  const EdgedStencil<C>& all;
  C centre[n] = {}, inverse_centre[n] = {};
  __device__ explicit HeldCoefficients(const EdgedStencil<C>& a) : all(a) {}
  __device__ __forceinline__ void load(int at, int i, int j) {
    const auto cell = all.template at<2>(i, j, 0);
    centre[at] = cell.centre, inverse_centre[at] = cell.inverse_centre;
  }
  __device__ __forceinline__ ConstantStencil<C> operator[](int at) const {
    const ConstantStencil<C>& a = all.inside;
    return {a.wx, a.wy, a.wz, centre[at], inverse_centre[at]};
  }
};
template <class S, class C, int n>
struct HeldCoefficients<StencilArrays<S, C>, n> {
  const StencilArrays<S, C>& all;
  CellStencil<C> cells[n] = {};
  __device__ explicit HeldCoefficients(const StencilArrays<S, C>& a) : all(a) {}
  __device__ __forceinline__ void load(int at, int i, int j) { cells[at] = all.template at<2>(i, j, 0); }
  __device__ __forceinline__ const CellStencil<C>& operator[](int at) const { return cells[at]; }
};

// A tile in shared memory. Colour 0 is the one updated first, colour 1 the other.
template <class S, class C, class A, class B, int block_x, int block_y, int rows, int depth>
class Tile {
 public:
  static constexpr int height = block_y * rows, halo = 2 * depth;
  using Pair = Pack<S, 2>;

  // first_colour: (i + j) & 1 of the cells that are updated first
  __device__ Tile(const A& a, S* values, C omega, int first_colour)
      : coefficients_(a), values_(values), omega_(omega), first_colour_(first_colour) {}

  // Loads the tile: ghosts from `ghosts`, which no block writes, and cells from `from`.
  __device__ __forceinline__ void load(const View<const S>& ghosts, const View<const S>& from, const B& b) {
#pragma unroll
    for (int m = 0; m < rows; ++m) {
      const int i = first_i(), j = row_of(m);
      const Pair pair = load_pair(ghosts, from, i, j);
#pragma unroll
      for (int colour = 0; colour < 2; ++colour) {
        const int side = side_of(colour, j);
        at(colour, y_of(m), threadIdx.x) = pair.value[side];
        const bool inside = i + side >= 0 && i + side < from.nx && j >= 0 && j < from.ny;
        const bool has_neighbours = side ? threadIdx.x < block_x - 1 : threadIdx.x > 0;
        if (!inside || !has_neighbours) continue;
        is_swept_ |= 1u << (2 * m + colour);
        if constexpr (has_source<B>) right_[2 * m + colour] = b(i + side, j);
        coefficients_.load(2 * m + colour, i + side, j);
      }
    }
  }

  // Performs half-step n = 0, 1, ..; n layers at the edge are invalid by then.
  template <int colour>
  __device__ __forceinline__ void half_sweep(int n) {
#pragma unroll
    for (int m = 0; m < rows; ++m) {
      const int y = y_of(m), h = threadIdx.x, cell = 2 * m + colour;
      if (!(is_swept_ >> cell & 1) || y <= n || y >= height - 1 - n) continue;
      const int west = h - 1 + side_of(colour, row_of(m));
      auto around = [&](int di, int dj, int) {
        if (di == 0 && dj == 0) return C(at(colour, y, h));
        return C(dj ? at(1 - colour, y + dj, h) : at(1 - colour, y, di < 0 ? west : west + 1));
      };
      at(colour, y, h) = S(stencil_over_relax<2, C>(coefficients_[cell], around, C(right_[cell]), omega_));
    }
  }

  __device__ __forceinline__ void store(const View<S>& to) const {
    const int i = first_i(), h = threadIdx.x;
    if (h < depth || h >= block_x - depth || i >= to.nx) return;
#pragma unroll
    for (int m = 0; m < rows; ++m) {
      const int y = y_of(m), j = row_of(m);
      if (y < halo || y >= height - halo || j >= to.ny) continue;
      Pair pair;
      const int side = side_of(0, j);
      const S one = at(0, y, h), other = at(1, y, h);
      pair.value[0] = side ? other : one;
      pair.value[1] = side ? one : other;
      store_pack<2>(to.row(j) + i, pair, i, to.nx);
    }
  }

 private:
  __device__ __forceinline__ S& at(int colour, int y, int h) const {
    return values_[(colour * height + y) * block_x + h];
  }
  __device__ __forceinline__ int y_of(int m) const { return int(threadIdx.y) + m * block_y; }
  __device__ __forceinline__ int row_of(int m) const {
    return int(blockIdx.y) * (height - 2 * halo) - halo + y_of(m);
  }
  // Column of the thread's first pair cell, even.
  __device__ __forceinline__ int first_i() const {
    return int(blockIdx.x) * 2 * (block_x - halo) - halo + 2 * int(threadIdx.x);
  }
  // Returns the cell of a pair in row j that has the colour.
  __device__ __forceinline__ int side_of(int colour, int j) const { return (first_colour_ + colour + j) & 1; }

  // Values outside the grid and its ghosts are never used.
  static __device__ __forceinline__ Pair load_pair(const View<const S>& ghosts, const View<const S>& from,
                                                   int i, int j) {
    if (j < -1 || j > from.ny || i < -2 || i > from.nx) return {};
    if (j == -1 || j == from.ny) return load_pack<2>(ghosts.row(j) + i);
    Pair pair = load_pack<2>(from.row(j) + i);
    if (i < 0) pair.value[1] = ghosts(-1, j);
    if (i == from.nx) pair.value[0] = ghosts(i, j);
    if (i + 1 == from.nx) pair.value[1] = ghosts(i + 1, j);
    return pair;
  }

  HeldCoefficients<A, 2 * rows> coefficients_;
  S right_[2 * rows] = {};  // 0 without a right-hand side
  S* const values_;
  const C omega_;
  const int first_colour_;
  unsigned is_swept_ = 0;  // bit 2 m + colour: the thread's cell in row m of the colour is updated
};

// Performs `sweeps` (at most depth) iterations from `from` into `to`.
template <class S, class C, class A, class B, int block_x, int block_y, int rows, int depth>
__global__ void __launch_bounds__(block_x* block_y)
    red_black_tiled(A a, View<const S> ghosts, View<const S> from, B b, View<S> to, C omega, int first_colour,
                    int sweeps) {
  Tile<S, C, A, B, block_x, block_y, rows, depth> tile(a, dynamic_shared<S>(), omega, first_colour);
  tile.load(ghosts, from, b);
  __syncthreads();
  for (int n = 0; n < 2 * sweeps; n += 2) {
    tile.template half_sweep<0>(n);
    __syncthreads();
    tile.template half_sweep<1>(n + 1);
    __syncthreads();
  }
  tile.store(to);
}

}  // namespace cfdmark
