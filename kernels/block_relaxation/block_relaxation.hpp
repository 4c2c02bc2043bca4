// One sweep over the points of a system with six 5x5 matrices a point, A+ A- B+ B- C+ C-: those of the
// neighbours at i - 1, i + 1, j - 1, j + 1, k - 1, k + 1. The matrix of the point itself is the identity.
// With the five unknowns x of each point and its right side b,
//
//   x' = (1 - w) x + w (b - A+ x[i-1] - A- x[i+1] - B+ x[j-1] - B- x[j+1] - C+ x[k-1] - C- x[k+1])
//
// where each neighbour is as it was or new. Which are new is the kernel; forward, and with the other three
// backward:
//
//   block_jacobi         none
//   block_ssor           j - 1 and k - 1: Jacobi along i, Gauss-Seidel along j and k
//   block_revised_ssor   i - 1 and j - 1: Jacobi along k
//   block_red_black      lines along i of odd j + k see those of even j + k new
//
// How such a point fits fields: the five values of a point are five components, stacked along k in one field
// of 5 (nz + 2 halo) planes, each with its own ghosts; outside x is 0. The 150 values of its matrices lie in
// a field without ghosts, in one of these layouts; matrix, row and column count in this order:
//
//   aos25       the 150 values of a point side by side, as a host makes them
//   aos32       the same, each matrix in 32 values
//   soa         150 arrays, one for each value
//   soa_block   points in tiles of 32, interleaved by warp: 150 times the values of 32 points
//   soa_8       points in tiles of 8, which a vector operation of a CPU takes
//
// Tensor cores cannot help. A sweep does 315 flops a point for 660 bytes in 32 bits and 1320 in 64: 0.48 and
// 0.24 flops a byte. An H200, whose triad reaches 4.33 TB/s, could then do 2.1 and 1.0 TFlop/s; its vector
// units have 67 and 34, so that they wait 97 % of the time (`rows` has 94 and 96 % of the triad's bandwidth:
// results/nvidia-h200/blocks.jsonl). More flops gain nothing there, and tensor cores would waste them: a
// matrix meets one vector in a sweep, where they want eight columns or more, 5x5 fills 25 places of 64, and
// in 32 bits they round factors to 10 bits, in an order of sums of their own. Fewer bits of storage would
// gain, and change the answer.
//
// Every sum begins with b and takes the matrices and their columns in order, each product by an fma: all
// backends, methods and layouts give the same bits. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/grid.hpp"

// Before a loop over rows, columns or matrices of a point.
#if defined(__CUDACC__)
#define CFDMARK_UNROLLED _Pragma("unroll")
#else
#define CFDMARK_UNROLLED _Pragma("GCC unroll 6")
#endif

namespace cfdmark {

enum class BlockLayout { aos25, aos32, soa, soa_block, soa_8 };
// The two residuals go the way of a Jacobi sweep: of this system, and of one whose differences against the
// flow are of second order, with the same matrices (block_methods.hpp).
enum class BlockSweep { jacobi, ssor, revised_ssor, red_black, residual, second_order_residual };

inline constexpr int block_rows = 5, block_values = 25, block_directions = 6,
                     block_entries = block_directions * block_values;
// Points of a tile, of layouts that have tiles; else 1.
constexpr int block_tile(BlockLayout layout) {
  return layout == BlockLayout::soa_block ? 32 : layout == BlockLayout::soa_8 ? 8 : 1;
}

// The matrices of all points; nx and ny count points. `which`, a BlockLayout, is a number because compilers
// write enumerators in types' names in ways of their own.
template <int which, class S>
struct BlockMatrices {
  static constexpr BlockLayout layout = BlockLayout(which);
  S* origin;
  int nx, ny;
  Index pitch, plane, entry;  // of aos25 and soa; entry: from one array to the next
  // Of a matrix, with what pads it.
  static constexpr int values = layout == BlockLayout::aos32 ? 32 : block_values, tile = block_tile(layout);

  CFDMARK_FUNCTION S* at(Index i, Index j, Index k) const {
    if constexpr (layout == BlockLayout::soa) return origin + k * plane + j * pitch + i;
    if constexpr (layout == BlockLayout::aos25) return origin + k * plane + j * pitch + i * block_entries;
    return at_number((k * ny + j) * nx + i);
  }
  // Of tiles and aos32, which number all points.
  CFDMARK_FUNCTION S* at_number(Index point) const {
    if constexpr (tile > 1) return origin + point / tile * (block_entries * tile) + point % tile;
    return origin + point * (values * block_directions);
  }
  // From a point's first value to that of a matrix.
  CFDMARK_FUNCTION Index offset(int matrix, int value) const {
    if constexpr (layout == BlockLayout::soa) return (matrix * block_values + value) * entry;
    if constexpr (tile > 1) return (matrix * block_values + value) * tile;
    return matrix * values + value;
  }
};

// The matrices of a point into another layout, each followed by what pads it.
template <class From, int layout, class S>
CFDMARK_FUNCTION void copy_block_point(const From& from, const BlockMatrices<layout, S>& to, S padding,
                                       Index i, Index j, Index k) {
  const S* const first = from.at(i, j, k);
  S* const first_to = to.at(i, j, k);
  for (int m = 0; m < block_directions; ++m)
    for (int e = 0; e < to.values; ++e)
      first_to[to.offset(m, e)] = e < block_values ? first[from.offset(m, e)] : padding;
}

// The fields with five components, which all have the same shape. X: the type of the unknowns and b, S that
// of what is written.
template <class S, class X>
struct BlockVectors {
  const X *b, *old;
  S* next;
  Index pitch, plane, component;
  int from_next;  // bit m: the neighbour of matrix m is new

  CFDMARK_FUNCTION Index at(Index i, Index j, Index k) const { return k * plane + j * pitch + i; }
  CFDMARK_FUNCTION Index step(int matrix) const {
    const Index length = matrix < 2 ? 1 : matrix < 4 ? pitch : plane;
    return matrix % 2 ? length : -length;
  }
};

// What a point's sum makes of a neighbour, and what becomes of the sum.
template <class C>
struct Relaxing {
  C w, kept;  // kept: 1 - w

  template <class S>
  CFDMARK_FUNCTION C neighbour(const BlockVectors<S, S>& v, int matrix, Index here) const {
    const S* const from = v.from_next >> matrix & 1 ? v.next : v.old;
    return C(from[here + v.step(matrix)]);
  }
  CFDMARK_FUNCTION C result(C sum, C old) const { return multiply_add(w, sum, kept * old); }
};

// b - x - sum of the neighbours' terms
template <class C>
struct FirstOrderResidual {
  template <class S, class X>
  CFDMARK_FUNCTION C neighbour(const BlockVectors<S, X>& v, int matrix, Index here) const {
    return C(v.old[here + v.step(matrix)]);
  }
  CFDMARK_FUNCTION C result(C sum, C old) const { return sum - old; }
};

// b + sum of A (3/2 x - 2 x[1] + 1/2 x[2]): matrices that are those of fluxes, with their signs changed,
// times a difference of second order towards each neighbour. It reads two layers of ghosts.
template <class C>
struct SecondOrderResidual {
  template <class S, class X>
  CFDMARK_FUNCTION C neighbour(const BlockVectors<S, X>& v, int matrix, Index here) const {
    const Index step = v.step(matrix);
    const C far = C(-0.5) * C(v.old[here + 2 * step]);
    return multiply_add(C(-1.5), C(v.old[here]), multiply_add(C(2), C(v.old[here + step]), far));
  }
  CFDMARK_FUNCTION C result(C sum, C) const { return sum; }
};

// `rows` rows of the point whose first value in each component is number `here`, from `row` on; `first`: of
// its matrices.
template <class C, int rows, class Form, class Matrices, class T, class S, class X>
CFDMARK_FUNCTION void sweep_block(const Form& form, const Matrices& a, const T* first,
                                  const BlockVectors<S, X>& v, Index here, int row) {
  C sum[rows];
  CFDMARK_UNROLLED
  for (int r = 0; r < rows; ++r) sum[r] = C(v.b[here + (row + r) * v.component]);
  CFDMARK_UNROLLED
  for (int m = 0; m < block_directions; ++m) {
    C x[block_rows];
    CFDMARK_UNROLLED
    for (int c = 0; c < block_rows; ++c) x[c] = form.neighbour(v, m, here + c * v.component);
    CFDMARK_UNROLLED
    for (int r = 0; r < rows; ++r) {
      CFDMARK_UNROLLED
      for (int c = 0; c < block_rows; ++c)
        sum[r] = multiply_add(-C(first[a.offset(m, (row + r) * block_rows + c)]), x[c], sum[r]);
    }
  }
  CFDMARK_UNROLLED
  for (int r = 0; r < rows; ++r) {
    const Index at = here + (row + r) * v.component;
    v.next[at] = S(form.result(sum[r], C(v.old[at])));
  }
}

// The points of a sweep that do not wait for each other, in the order in which they come.
struct BlockPoint {
  int i, j, k;
};
struct BlockFront {
  BlockSweep sweep;
  int number;  // i + j or j + k of the points of SSOR, j + k modulo 2 of red-black
  int nx, ny, nz;

  // A line along i, of all sweeps but revised SSOR; of red-black beyond the grid for some numbers.
  CFDMARK_FUNCTION Index lines() const {
    if (sweep == BlockSweep::ssor) return last(ny) - first(nz) + 1;
    return sweep == BlockSweep::red_black ? Index((ny + 1) / 2) * nz : Index(ny) * nz;
  }
  CFDMARK_FUNCTION BlockPoint line(Index n) const {
    if (sweep == BlockSweep::ssor) {
      const int j = first(nz) + int(n);
      return {0, j, number - j};
    }
    const int wide = sweep == BlockSweep::red_black ? (ny + 1) / 2 : ny;
    const int j = int(n % wide), k = int(n / wide);
    return {0, sweep == BlockSweep::red_black ? 2 * j + (k + number) % 2 : j, k};
  }
  CFDMARK_FUNCTION Index points() const {
    if (sweep == BlockSweep::revised_ssor) return Index(last(nx) - first(ny) + 1) * nz;
    return lines() * nx;
  }
  CFDMARK_FUNCTION BlockPoint point(Index n) const {
    if (sweep == BlockSweep::revised_ssor) {
      const int wide = last(nx) - first(ny) + 1, i = first(ny) + int(n % wide);
      return {i, number - i, int(n / wide)};
    }
    BlockPoint p = line(n / nx);
    p.i = int(n % nx);
    return p;
  }
  CFDMARK_FUNCTION bool holds(const BlockPoint& p) const { return p.j < ny; }

 private:
  // Of an index, where it and another, of `other` values, add to the front's number.
  CFDMARK_FUNCTION int first(int other) const { return number < other ? 0 : number - other + 1; }
  CFDMARK_FUNCTION int last(int own) const { return number < own ? number : own - 1; }
};

}  // namespace cfdmark
