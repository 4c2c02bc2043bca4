// One iteration over a system with six 5x5 matrices per point, A+ A- B+ B- C+ C-, for the neighbours
// i-1, i+1, j-1, j+1, k-1, k+1. The matrix of the point itself is the identity. With five unknowns x per
// point and right-hand side b,
//
//   x' = (1 - w) x + w (b - A+ x[i-1] - A- x[i+1] - B+ x[j-1] - B- x[j+1] - C+ x[k-1] - C- x[k+1])
//
// where each neighbour is either old or new. The kernels differ in the neighbours that are new in a forward
// iteration; backward iterations use the opposite three directions:
//
//   block_jacobi         none
//   block_ssor           j - 1 and k - 1: Jacobi along i, Gauss-Seidel along j and k
//   block_revised_ssor   i - 1 and j - 1: Jacobi along k
//   block_red_black      lines along i with odd j + k use new values of lines with even j + k
//
// Storage: the five values of a point are components, stacked along k in one field of 5 (nz + 2 halo) planes,
// each with its own ghosts; x is 0 outside. The 150 matrix values of a point are in a field without ghosts,
// ordered by matrix, row, column, in one of these layouts:
//
//   aos25       the 150 values of a point contiguous: the host's layout
//   aos32       the same, each matrix padded to 32 values
//   soa         150 arrays, one per value
//   soa_block   tiles of 32 points, one warp: 150 times the values of 32 points
//   soa_8       tiles of 8 points, for vector operations of a CPU
//
// The iteration is limited by memory: 0.48 flops per byte in fp32 and 0.24 in fp64. Tensor cores would gain
// nothing.
//
// Every sum starts with b and adds matrices and columns in order, each product by a fused multiply-add: all
// backends, methods and layouts give the same bits. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"

// Placed before a loop over rows, columns or matrices of a point.
#if defined(__CUDACC__)
#define CFDMARK_UNROLLED _Pragma("unroll")
#else
#define CFDMARK_UNROLLED _Pragma("GCC unroll 6")
#endif

namespace cfdmark {

enum class BlockLayout { aos25, aos32, soa, soa_block, soa_8 };
// The residuals visit points like a Jacobi iteration: `residual` of this system, second_order_residual of one
// with second-order upwind differences and the same matrices (block_methods.hpp).
enum class BlockSweep { jacobi, ssor, revised_ssor, red_black, residual, second_order_residual };

inline constexpr int block_rows = 5, block_values = 25, block_directions = 6,
                     block_entries = block_directions * block_values;
// Returns the points per tile, or 1 for layouts without tiles.
constexpr int block_tile(BlockLayout layout) {
  return layout == BlockLayout::soa_block ? 32 : layout == BlockLayout::soa_8 ? 8 : 1;
}

// The matrices of all points; nx and ny count points. `which`, a BlockLayout, is an int because compilers
// print enumerators in type names differently.
template <int which, class S>
struct BlockMatrices {
  static constexpr BlockLayout layout = BlockLayout(which);
  S* origin;
  int nx, ny;
  Index pitch, plane, entry;  // for aos25 and soa; entry: elements from one array to the next
  // values: stored values per matrix, padding included.
  static constexpr int values = layout == BlockLayout::aos32 ? 32 : block_values, tile = block_tile(layout);

  CFDMARK_FUNCTION S* at(Index i, Index j, Index k) const {
    if constexpr (layout == BlockLayout::soa) return origin + k * plane + j * pitch + i;
    if constexpr (layout == BlockLayout::aos25) return origin + k * plane + j * pitch + i * block_entries;
    return at_number((k * ny + j) * nx + i);
  }
  // Returns the first value of a point, for aos32 and layouts with tiles, which number all points.
  CFDMARK_FUNCTION S* at_number(Index point) const {
    if constexpr (tile > 1) return origin + point / tile * (block_entries * tile) + point % tile;
    return origin + point * (values * block_directions);
  }
  // Returns the elements from a point's first value to a value of a matrix.
  CFDMARK_FUNCTION Index offset(int matrix, int value) const {
    if constexpr (layout == BlockLayout::soa) return (matrix * block_values + value) * entry;
    if constexpr (tile > 1) return (matrix * block_values + value) * tile;
    return matrix * values + value;
  }
};

// Copies the matrices of a point to another layout and appends the padding of each.
template <class From, int layout, class S>
CFDMARK_FUNCTION void copy_block_point(const From& from, const BlockMatrices<layout, S>& to, S padding,
                                       Index i, Index j, Index k) {
  const S* const first = from.at(i, j, k);
  S* const first_to = to.at(i, j, k);
  for (int m = 0; m < block_directions; ++m)
    for (int e = 0; e < to.values; ++e)
      first_to[to.offset(m, e)] = e < block_values ? first[from.offset(m, e)] : padding;
}

// The five-component fields, all of one shape. X: type of the unknowns and b; S: type of the written field.
template <class S, class X>
struct BlockVectors {
  const X *b, *old;
  S* next;
  Index pitch, plane, component;
  int from_next;  // bit m is set if the neighbour of matrix m is new

  CFDMARK_FUNCTION Index at(Index i, Index j, Index k) const { return k * plane + j * pitch + i; }
  CFDMARK_FUNCTION Index step(int matrix) const {
    const Index length = matrix < 2 ? 1 : matrix < 4 ? pitch : plane;
    return matrix % 2 ? length : -length;
  }
};

// A form: the contribution of a neighbour to a point's sum, and the use of the sum. This one relaxes.
template <class C>
struct Relaxing {
  C w, kept;  // kept is 1 - w

  template <class S>
  CFDMARK_FUNCTION C neighbour(const BlockVectors<S, S>& v, int matrix, Index here) const {
    const S* const from = v.from_next >> matrix & 1 ? v.next : v.old;
    return C(from[here + v.step(matrix)]);
  }
  CFDMARK_FUNCTION C result(C sum, C old) const { return multiply_add(w, sum, kept * old); }
};

// The residual b - x - sum of the neighbours' terms.
template <class C>
struct FirstOrderResidual {
  template <class S, class X>
  CFDMARK_FUNCTION C neighbour(const BlockVectors<S, X>& v, int matrix, Index here) const {
    return C(v.old[here + v.step(matrix)]);
  }
  CFDMARK_FUNCTION C result(C sum, C old) const { return sum - old; }
};

// The residual b + sum of A (3/2 x - 2 x[1] + 1/2 x[2]): flux matrices with reversed sign times a
// second-order difference towards each neighbour. It reads two layers of ghosts.
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

// Computes `rows` rows of a point, from `row` on. `here`: offset of the point in each component; `first`: its
// first matrix value.
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

// A front: the mutually independent points of an iteration, and their enumeration.
struct BlockPoint {
  int i, j, k;
};
struct BlockFront {
  BlockSweep sweep;
  int number;  // i + j or j + k of the points of SSOR; j + k modulo 2 of red-black
  int nx, ny, nz;

  // Number of lines along i, for all kernels but revised SSOR. In red-black some lines are outside the grid;
  // see holds().
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
  // Range of an index that, with another index of `other` values, adds up to the front's number.
  CFDMARK_FUNCTION int first(int other) const { return number < other ? 0 : number - other + 1; }
  CFDMARK_FUNCTION int last(int own) const { return number < own ? number : own - 1; }
};

}  // namespace cfdmark
