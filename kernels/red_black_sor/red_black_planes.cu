// Several red-black sweeps of a 3-D grid in one pass over memory. NVRTC reads this file: no standard header
// here.
//
// A block owns a column of the grid, 32 lanes wide and `rows` high, and walks along z; a lane has `pairs` of
// neighbouring cells, one of each colour, in a window of planes in its registers. When plane p arrives, the
// first colour of plane p - 1 is relaxed, then the second of plane p - 2, whose neighbours are all new by
// then: a sweep. The next follows two planes behind:
//
//     plane  p + 2    on its way from memory
//            p        arrived, and shown to the rows beside        sweep 1     sweep 2
//            p - 1    first colour                                    |
//            p - 2    second colour                                   |
//            p - 3    first colour                                                |
//            p - 4    second colour, done: goes back to memory                    |
//
// Neighbours in z are the thread's own, in x the next lane's; in y they lie in shared memory, as the step
// before left them, so that a step has one barrier. Input and output are different arrays: columns and parts
// of planes overlap by 2 depth cells, which are computed by both.
#include "kernels/backends/device.cuh"
#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/no_source.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

template <class S, class C, class A, class B, int rows, int depth, int pairs>
class Column {
 public:
  // As they lie in memory; once arrived those of the first colour, then those of the second.
  using Cells = Pack<S, 2 * pairs>;
  using OfColour = Pack<S, pairs>;
  static constexpr int window = 2 * depth + 4;  // planes from p + 2 on down
  static constexpr int edge_lanes = (depth + pairs - 1) / pairs;
  static constexpr int own_lanes = 32 - 2 * edge_lanes, own_rows = rows - 4 * depth;
  // Planes in shared memory: those that are relaxed and the one that arrives; places rotate with the
  // window's.
  static constexpr int shown = window % (2 * depth + 1) == 0 ? 2 * depth + 1 : window;

  // The walk begins at plane p. first: the thread's first column, a multiple of its cells; j: its row
  __device__ Column(const A& a, const View<const S>& from, const B& b, C omega, S* shared, int first, int j,
                    int p, int first_colour, int sweeps)
      : a_(a),
        omega_(omega),
        shared_(shared + (int(threadIdx.y) * 32 + int(threadIdx.x)) * pairs),
        first_(first),
        j_(j),
        nx_(from.nx),
        nz_(from.nz),
        side_((first_colour + j + p) & 1),
        sweeps_(sweeps),
        // From ghost to ghost.
        loads_(j >= -1 && j <= from.ny && first >= -2 * pairs && first <= from.nx),
        relaxes_(j >= 0 && j < from.ny && threadIdx.y > 0 && threadIdx.y < rows - 1),
        plane_(from.plane),
        next_(from.row(j, p) + first) {
    if constexpr (has_source<B>) plane_b_ = b.plane, next_b_ = b.row(j, p) + first;
    load(p, 0);
    load(p + 1, 1);
  }

  // Takes in plane p, at `phase` of the window. Plane p - 2 depth is then done: returns it as it lies in
  // memory.
  __device__ __forceinline__ Cells step(int p, int phase) {
    load(p + 2, slot_of(phase, 2));
    by_colour(u_[slot_of(phase, 0)], phase);
    if constexpr (has_source<B>) by_colour(right_[slot_of(phase, 0)], phase);
    show(phase, 0, 0), show(phase, 0, 1);
#pragma unroll
    for (int half = 0; half < 2 * depth; ++half) relax(half, p, phase);
    __syncthreads();
    return in_memory(u_[slot_of(phase, -2 * depth)], phase);
  }

 private:
  struct Around {
    S centre, west, east, south, north, bottom, top;
    __device__ __forceinline__ C operator()(int di, int dj, int dk) const {
      return C(di < 0   ? west
               : di > 0 ? east
               : dj < 0 ? south
               : dj > 0 ? north
               : dk < 0 ? bottom
               : dk > 0 ? top
                        : centre);
    }
  };
  __device__ static constexpr int slot_of(int phase, int plane) {
    return (phase + plane + 2 * window) % window;
  }

  // The planes one after the other. Nothing here looks at what was loaded: it is waited for two planes later.
  __device__ __forceinline__ void load(int k, int slot) {
    u_[slot] = {};
    if constexpr (has_source<B>) right_[slot] = {};
    if (loads_ && k >= -1 && k <= nz_) {
      u_[slot] = load_pack<2 * pairs>(next_);
      if constexpr (has_source<B>) right_[slot] = load_pack<2 * pairs>(next_b_);
    }
    next_ += plane_;
    if constexpr (has_source<B>) next_b_ += plane_b_;
  }

  // Which of a pair in plane p + n has the colour: 0 the one that is relaxed first, 1 the other. The window
  // is even: a phase always meets planes of the same parity.
  __device__ __forceinline__ int side_of(int colour, int phase, int n) const {
    return (phase + n + colour) & 1 ? 1 - side_ : side_;
  }
  // From the order in memory to that of colours, and back.
  __device__ __forceinline__ void by_colour(Cells& cells, int phase) const {
    const bool swapped = side_of(0, phase, 0);
    const Cells as_loaded = cells;
#pragma unroll
    for (int q = 0; q < pairs; ++q) {
      const S one = as_loaded.value[2 * q], other = as_loaded.value[2 * q + 1];
      cells.value[q] = swapped ? other : one;
      cells.value[pairs + q] = swapped ? one : other;
    }
  }
  __device__ __forceinline__ Cells in_memory(const Cells& cells, int phase) const {
    const bool swapped = side_of(0, phase, 0);  // 2 depth planes on
    Cells ordered;
#pragma unroll
    for (int q = 0; q < pairs; ++q) {
      const S one = cells.value[q], other = cells.value[pairs + q];
      ordered.value[2 * q] = swapped ? other : one;
      ordered.value[2 * q + 1] = swapped ? one : other;
    }
    return ordered;
  }

  // What the rows beside see of plane p + n, `rows` above the thread's.
  __device__ __forceinline__ OfColour& seen(int phase, int n, int colour, int row) const {
    const int place = slot_of(phase, n) % shown;
    return *reinterpret_cast<OfColour*>(shared_ + ((place * 2 + colour) * rows + row) * 32 * pairs);
  }
  __device__ __forceinline__ void show(int phase, int n, int colour) const {
    OfColour of_colour;
#pragma unroll
    for (int q = 0; q < pairs; ++q) of_colour.value[q] = u_[slot_of(phase, n)].value[colour * pairs + q];
    seen(phase, n, colour, 0) = of_colour;
  }

  __device__ __forceinline__ void relax(int half, int p, int phase) {
    const int n = -1 - half, colour = half & 1, k = p + n;
    // In the order of colours: where those begin that are relaxed, and the others.
    const int own = colour * pairs, others = (1 - colour) * pairs;
    Cells& cells = u_[slot_of(phase, n)];
    const int side = side_of(colour, phase, n);
    // The cell beside the lane's own: of the next lane, or of the one before.
    const S beside = side ? cells.value[others] : cells.value[others + pairs - 1];
    const S beyond = __shfl_sync(0xffffffffu, beside, (int(threadIdx.x) + 2 * side - 1) & 31);
    if (!relaxes_ || half >= 2 * sweeps_ || k < 0 || k >= nz_) return;
    const OfColour south = seen(phase, n, 1 - colour, -1), north = seen(phase, n, 1 - colour, 1);
#pragma unroll
    for (int q = 0; q < pairs; ++q) {
      const int i = first_ + 2 * q + side;
      if (i < 0 || i >= nx_) continue;
      const S before = q > 0 ? cells.value[others + (q + pairs - 1) % pairs] : beyond;
      const S behind = q + 1 < pairs ? cells.value[others + (q + 1) % pairs] : beyond;
      const Around around{cells.value[own + q],
                          side ? cells.value[others + q] : before,
                          side ? behind : cells.value[others + q],
                          south.value[q],
                          north.value[q],
                          u_[slot_of(phase, n - 1)].value[others + q],
                          u_[slot_of(phase, n + 1)].value[others + q]};
      cells.value[own + q] = S(stencil_over_relax<3, C>(a_.template at<3>(i, j_, k), around,
                                                        C(right_[slot_of(phase, n)].value[own + q]), omega_));
    }
    show(phase, n, colour);
  }

  const A& a_;
  const C omega_;
  S* const shared_;  // the thread's place in a plane
  const int first_, j_, nx_, nz_, side_, sweeps_;
  const bool loads_, relaxes_;
  Index plane_, plane_b_ = 0;
  const S *next_, *next_b_ = nullptr;  // the cells that are loaded next
  // Plane p + n of a step lies at (phase + n) % window, so that nothing is moved from step to step.
  Cells u_[window] = {}, right_[window] = {};  // right_: 0 without a right-hand side
};

// `sweeps`, at most depth, of `from`, into `to`. first_colour: (i + j + k) & 1 of the cells that are updated
// first. planes: of a block. ghosts: 1 if `to` is to have them too, 0 if it has.
template <class S, class C, class A, class B, int rows, int depth, int pairs>
__global__ void __launch_bounds__(32 * rows)
    red_black_planes(A a, View<S> from, B b, View<S> to, C omega, int sweeps, int first_colour, int planes,
                     int ghosts) {
  using Walk = Column<S, C, A, B, rows, depth, pairs>;
  constexpr int width = 2 * pairs, edge = Walk::edge_lanes;
  const int lane = int(threadIdx.x), row = int(threadIdx.y);
  // Blocks begin with the lane and the row that hold ghosts.
  const int first = (int(blockIdx.x) * Walk::own_lanes + lane - edge - 1) * width;
  const int j = int(blockIdx.y) * Walk::own_rows + row - 2 * depth - 1;
  const int begin = int(blockIdx.z) * planes, end = min(begin + planes, from.nz);
  const int stored_from = begin == 0 ? -ghosts : begin, stored_to = end == from.nz ? end + ghosts : end;
  const bool stores = lane >= edge && lane < 32 - edge && row >= 2 * depth && row < rows - 2 * depth &&
                      j >= -ghosts && j < to.ny + ghosts;
  int p = begin - 2 * depth;
  Walk walk(a, read_only(from), b, omega, dynamic_shared<S>(), first, j, p, first_colour, sweeps);
  for (; p < stored_to + 2 * depth; p += Walk::window) {
#pragma unroll
    for (int phase = 0; phase < Walk::window; ++phase) {
      if (p + phase >= stored_to + 2 * depth) return;
      const auto cells = walk.step(p + phase, phase);
      const int k = p + phase - 2 * depth;
      if (!stores || k < stored_from) continue;
      S* const cell = to.row(j, k) + first;
      if (first >= -ghosts && first + width <= to.nx + ghosts) {
        *reinterpret_cast<Pack<S, width>*>(cell) = cells;
        continue;
      }
#pragma unroll
      for (int m = 0; m < width; ++m)
        if (first + m >= -ghosts && first + m < to.nx + ghosts) cell[m] = cells.value[m];
    }
  }
}

}  // namespace cfdmark
