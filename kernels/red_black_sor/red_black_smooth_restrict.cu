// The two halves of a multigrid level, each in one pass over memory: relaxation with restriction of the
// residual, and prolongation with relaxation. For a constant operator in 2-D, edged or not, coarsened in both
// directions. The bits equal those of pipelined relaxation and grid_transfer. NVRTC reads this file, so it
// includes no standard header.
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"
#include "kernels/red_black_sor/red_black_strip.cuh"

namespace cfdmark {

// Restricts fine rows one after another: coarse row J combines rows 2 J to 2 J + 2.
template <class S, class C, class A, int cells>
class CoarseSums {
 public:
  // first: the lane's first fine column
  __device__ CoarseSums(const A& a, int first) : a_(a), first_(first) {}

  // Adds row j of residuals. If j is even, returns the now complete coarse row j / 2 - 1.
  __device__ __forceinline__ Pack<S, cells / 2> add(const Pack<S, cells>& r, int j) {
    const S next = __shfl_down_sync(0xffffffffu, r.value[0], 1);
    Pack<S, cells / 2> done = {};
    if (j & 1) {
      add_row(r, next, C(1));
      return done;
    }
    const C lower = share(first_, j, 1);
    add_row(r, next, lower);
#pragma unroll
    for (int n = 0; n < cells / 2; ++n) done.value[n] = S(sum_[n]), sum_[n] = C(0);
    add_row(r, next, C(1) - lower);
    return done;
  }

 private:
  __device__ __forceinline__ C share(int i, int j, int direction) const {
    return lower_share(a_.template at<2>(i, j, 0), direction);
  }
  __device__ __forceinline__ void add_row(const Pack<S, cells>& r, S next, C weight) {
#pragma unroll
    for (int n = 0; n < cells / 2; ++n) {
      const S after = 2 * n + 2 < cells ? r.value[2 * n + 2 < cells ? 2 * n + 2 : 0] : next;
      const int i = first_ + 2 * n;
      sum_[n] = multiply_add(weight * (C(1) - share(i, 0, 0)), C(r.value[2 * n]), sum_[n]);
      sum_[n] = multiply_add(weight, C(r.value[2 * n + 1]), sum_[n]);
      sum_[n] = multiply_add(weight * share(i + 2, 0, 0), C(after), sum_[n]);
    }
  }

  const A& a_;
  const int first_;
  C sum_[cells / 2] = {};
};

// Performs `sweeps` (at most depth) iterations from `from` into `to`, ghosts included. Afterwards
// coarse = P^T (b - A to).
template <class S, class C, class A, int cells, int depth, int warps>
__global__ void __launch_bounds__(32 * warps,
                                  resident_blocks<Strip<S, C, A, View<const S>, cells, depth, 2>, warps>())
    red_black_down(A a, View<S> from, View<const S> b, View<S> to, View<S> coarse, C omega, int sweeps,
                   int first_colour, int rows) {
  using Walk = Strip<S, C, A, View<const S>, cells, depth, 2>;
  const StripPlace<Walk, cells, warps> at(from.nx, from.ny, rows, 1);
  if (at.empty) return;
  const int stored_from = at.begin == 0 ? -1 : at.begin, stored_to = at.end == from.ny ? at.end + 1 : at.end;
  Walk walk(a, read_only(from), b, omega, at.first, sweeps);
  CoarseSums<S, C, A, cells> sums(a, at.first);
  // The residual of row `end` contributes to the last coarse row and needs one more row.
  const int y_end = at.end + 2 + 2 * depth;
  int y = at.begin - 2 - 2 * depth - first_colour;
  for (walk.start(y); y < y_end; y += Walk::window) {
#pragma unroll
    for (int phase = 0; phase < Walk::window; ++phase) {
      if (y + phase >= y_end) return;
      const auto& row = walk.step(y, phase, [](auto&, int) {});
      const int j = y + phase - 2 * depth;
      if (at.stores && j >= stored_from && j < stored_to)
        store_between(to.row(j) + at.first, row, at.first, -1, to.nx + 1);
      const Pack<S, cells / 2> sum = sums.add(walk.template residual<S>(y, phase), j - 1);
      const int coarse_j = (j - 1) / 2 - 1, i = at.first / 2;
      if (at.stores && j - 1 > at.begin && j % 2 && coarse_j < coarse.ny)
        store_between(coarse.row(coarse_j) + i, sum, i, 0, coarse.nx);
    }
  }
}

// The corrections P coarse of a strip, fine row by fine row.
template <class S, class C, class A, int cells>
class Corrections {
 public:
  // first: the lane's first fine column; y: the first fine row that arrives
  __device__ Corrections(const A& a, const View<const S>& coarse, int first, int y)
      : a_(a), coarse_(coarse), i_(first / 2) {
    load((y - 1) >> 1, higher_);
    load(((y - 1) >> 1) + 1, next_);
  }

  // Adds the corrections to row y of an nx x ny grid, in its interior; rows come in order.
  __device__ __forceinline__ void add_to(Pack<S, cells>& u, int y, int nx, int ny) {
    if (y % 2 == 0) {
      lower_ = higher_, higher_ = next_;
      load(y / 2 + 1, next_);
    }
    if (y < 0 || y >= ny) return;
#pragma unroll
    for (int m = 0; m < cells; ++m) {
      const int i = 2 * i_ + m;
      if (i < 0 || i >= nx) continue;
      const auto cell = a_.template at<2>(i, y, 0);
      const C here = in_row(cell, higher_, m);
      u.value[m] =
          S(C(u.value[m]) + (y % 2 ? here : mean(lower_share(cell, 1), in_row(cell, lower_, m), here)));
    }
  }

 private:
  // The lane's coarse columns and the one before.
  struct Row {
    S value[cells / 2 + 1];
  };
  __device__ __forceinline__ void load(int j, Row& row) const {
    row = {};
    if (j < 0 || j >= coarse_.ny) return;
#pragma unroll
    for (int n = 0; n < cells / 2 + 1; ++n)
      if (i_ - 1 + n >= 0 && i_ - 1 + n < coarse_.nx) row.value[n] = coarse_.row(j)[i_ - 1 + n];
  }
  template <class Cell>
  __device__ __forceinline__ static C in_row(const Cell& cell, const Row& row, int m) {
    const C higher = C(row.value[m / 2 + 1]);
    return m % 2 ? higher : mean(lower_share(cell, 0), C(row.value[m / 2]), higher);
  }
  __device__ __forceinline__ static C mean(C share, C lower, C higher) {
    return multiply_add(share, lower - higher, higher);
  }

  const A& a_;
  const View<const S> coarse_;
  const int i_;
  Row lower_ = {}, higher_, next_;
};

// Performs `sweeps` (at most depth) iterations on from + P coarse, into `to`, ghosts included. Coarse ghosts
// count as 0.
template <class S, class C, class A, int cells, int depth, int warps>
__global__ void __launch_bounds__(32 * warps,
                                  resident_blocks<Strip<S, C, A, View<const S>, cells, depth>, warps>())
    red_black_up(A a, View<S> from, View<const S> coarse, View<const S> b, View<S> to, C omega, int sweeps,
                 int first_colour, int rows) {
  using Walk = Strip<S, C, A, View<const S>, cells, depth>;
  const StripPlace<Walk, cells, warps> at(from.nx, from.ny, rows, 1);
  if (at.empty) return;
  const int stored_from = at.begin == 0 ? -1 : at.begin, stored_to = at.end == from.ny ? at.end + 1 : at.end;
  Walk walk(a, read_only(from), b, omega, at.first, sweeps);
  int y = at.begin - 2 * depth - first_colour;
  Corrections<S, C, A, cells> corrections(a, coarse, at.first, y);
  for (walk.start(y); y < stored_to + 2 * depth; y += Walk::window) {
#pragma unroll
    for (int phase = 0; phase < Walk::window; ++phase) {
      if (y + phase >= stored_to + 2 * depth) return;
      const auto& row =
          walk.step(y, phase, [&](Pack<S, cells>& u, int j) { corrections.add_to(u, j, from.nx, from.ny); });
      const int j = y + phase - 2 * depth;
      if (at.stores && j >= stored_from) store_between(to.row(j) + at.first, row, at.first, -1, to.nx + 1);
    }
  }
}

}  // namespace cfdmark
