// Several red-black sweeps of a 3-D grid in one pass over memory. NVRTC reads this file: no standard header
// here.
//
// A block has a column of the grid, 32 lanes wide and `rows` high, and goes along z; a lane has 16 bytes of
// neighbouring cells in each plane. When plane p arrives, the first colour of plane p - 1 is relaxed, then
// the second of plane p - 2, whose neighbours are all new by then: a sweep. The next follows two planes
// behind:
//
//     plane  p + ahead  asked for                                 sweep 1     sweep 2
//            p          arrived
//            p - 1      first colour                                 |
//            p - 2      second colour                                |
//            p - 3      first colour                                             |
//            p - 4      second colour, done: goes back to memory                 |
//
// Planes arrive in shared memory by asynchronous copies and lie there as in memory, for the rows beside to
// see: they find what the step before left, so that a step has one barrier. Neighbours in z are the thread's
// own, in registers, and in x the next lane's. Input and output are different arrays: columns and parts of
// planes overlap by 2 depth cells, which are computed by both.
#include "kernels/backends/async_copy.cuh"
#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/no_source.hpp"
#include "kernels/backends/shared_ring.cuh"
#include "kernels/backends/strips.cuh"
#include "kernels/core/stencil.hpp"
#include "kernels/red_black_sor/red_black_planes.hpp"

namespace cfdmark {

// A PlaneColumn that the compiler knows.
template <int rows, int depth>
struct PlaneColumnOf {
  static constexpr PlaneColumn shape{rows, depth};
};

// What a thread does on its way.
template <class S, class C, class A, class B, class Of>
class PlaneWalk {
 public:
  static constexpr PlaneColumn shape = Of::shape;
  static constexpr int bytes = int(sizeof(S)), width = shape.cells(bytes), pairs = width / 2,
                       edge = shape.edge_lanes(bytes), halves = shape.halves();

  // Of blocks beside each other in x and y, the first of which has ghosts, and parts of `planes` in z.
  __device__ PlaneWalk(const A& a, const View<const S>& from, const B& b, const View<S>& to, C omega,
                       int sweeps, int first_colour, int planes, int ghosts)
      : a_(a),
        omega_(omega),
        sweeps_(sweeps),
        nx_(from.nx),
        nz_(from.nz),
        ghosts_(ghosts),
        i_((int(blockIdx.x) * shape.own_lanes(bytes) + int(threadIdx.x) - shape.lead(bytes)) * width),
        j_(int(blockIdx.y) * shape.own_rows() + int(threadIdx.y) - halves - 1),
        begin_(int(blockIdx.z) * planes),
        end_(min(begin_ + planes, from.nz)),
        side_((first_colour + j_ + begin_) & 1),
        copies_(j_ >= -1 && j_ <= from.ny && i_ + width >= 0 && i_ <= from.nx),
        relaxes_(j_ >= 0 && j_ < from.ny && threadIdx.y > 0 && threadIdx.y < shape.rows - 1),
        stores_(threadIdx.x >= edge && threadIdx.x < 32 - edge && threadIdx.y >= halves &&
                threadIdx.y < shape.rows - halves && j_ >= -ghosts && j_ < to.ny + ghosts),
        from_plane_(from.plane),
        to_plane_(to.plane),
        next_(from.row(j_, begin_ - halves) + i_),
        done_(to.row(j_, begin_ - 2 * halves) + i_),
        arriving_(0, shape.planes(), shape.planes() - window,
                  (int(threadIdx.y) * 32 + int(threadIdx.x)) * int(sizeof(Cells))) {
#pragma unroll
    for (int n = 0; n < window; ++n) at_[n] = arriving_.at(), arriving_.go_on();
    if constexpr (has_source<B>) next_b_ = b.row(j_, begin_ - halves) + i_, b_plane_ = b.plane;
#pragma unroll
    for (int odd = 0; odd < 2; ++odd)
#pragma unroll
      for (int q = 0; q < pairs; ++q) {
        const int cell = 2 * q + side_of(0, odd, 0), i = i_ + cell;
        is_swept_[odd][q] = i >= 0 && i < from.nx;
      }
  }

  __device__ __forceinline__ void go_along() {
    const int last = (end_ == nz_ ? end_ + ghosts_ : end_) + halves;
    int p = begin_ - halves;
#pragma unroll
    for (int n = 0; n < shape.ahead; ++n) fetch(p + n, arriving_.at() + n * shape.plane_bytes());
    for (; p < last; p += window)
      if (p >= halves && p + window <= nz_ && sweeps_ == shape.depth)
        steps<false>(p, last);
      else
        steps<true>(p, last);
    wait_for_copies<0>();
  }

 private:
  // Planes from p on down. Their number is even, so that a phase always meets planes of the same parity.
  static constexpr int window = halves + 2;
  using Cells = Pack<S, width>;
  // What lies beside the cells of a colour in the rows beside, and in the next lane.
  struct Beside {
    S south[pairs], north[pairs], beyond;
  };
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

  // From plane p on. Unchecked, all planes are in the grid, and all sweeps are made.
  template <bool checked>
  __device__ __forceinline__ void steps(int p, int last) {
#pragma unroll
    for (int phase = 0; phase < window; ++phase)
      if (p + phase < last) step<checked>(p + phase, phase);
  }
  template <bool checked>
  __device__ __forceinline__ void step(int p, int phase) {
    wait_for_copies<shape.ahead - 1>();
    __syncthreads();
    at_[phase] = arriving_.at();
    arriving_.go_on();
    fetch(p + shape.ahead, at_[slot_of(phase, -halves - 1)]);  // in place of one that nobody needs any more
    u_[phase] = by_colour(*shared<Cells>(at_[phase]), phase);
    if (relaxes_) relax_all<checked>(p, phase);
    put_back(p - halves, u_[slot_of(phase, -halves)], phase);
  }
  template <bool checked>
  __device__ __forceinline__ void relax_all(int p, int phase) {
#pragma unroll
    for (int half = 0; half < halves; half += 2) {
      // All that comes from others is under way before the first is needed.
      const Beside first = beside(half, phase), second = beside(half + 1, phase);
      Cells right = {};
      if constexpr (has_source<B>)
        right = by_colour(*shared<Cells>(at_[slot_of(phase, -1 - half)] + shape.sources_behind()),
                          phase - 1 - half);
      relax<checked>(half, p, phase, first, [&](int q) { return right.value[q]; });
      relax<checked>(half + 1, p, phase, second, [&](int q) { return second_right_[half / 2][q]; });
#pragma unroll
      for (int q = 0; q < pairs; ++q) second_right_[half / 2][q] = right.value[pairs + q];
    }
  }
  __device__ __forceinline__ Beside beside(int half, int phase) const {
    const S* const cells = relaxed(half, phase);
    const int side = side_of(half & 1, phase, -1 - half), others = (1 - (half & 1)) * pairs;
    const Cells& in_row = u_[slot_of(phase, -1 - half)];
    const S of_mine = side ? in_row.value[others] : in_row.value[others + pairs - 1];
    Beside out;
    out.beyond = __shfl_sync(0xffffffffu, of_mine, (int(threadIdx.x) + 2 * side - 1) & 31);
#pragma unroll
    for (int q = 0; q < pairs; ++q)
      out.south[q] = cells[2 * q - 32 * width], out.north[q] = cells[2 * q + 32 * width];
    return out;
  }
  template <bool checked, class F>
  __device__ __forceinline__ void relax(int half, int p, int phase, const Beside& beside, const F& right) {
    const int n = -1 - half, colour = half & 1, k = p + n;
    if (checked && (half >= 2 * sweeps_ || k < 0 || k >= nz_)) return;
    // In the order of colours: where those begin that are relaxed, and the others.
    const int own = colour * pairs, others = (1 - colour) * pairs;
    const int side = side_of(colour, phase, n);
    Cells& cells = u_[slot_of(phase, n)];
#pragma unroll
    for (int q = 0; q < pairs; ++q) {
      if (!is_swept(half, phase, q)) continue;
      const S before = q > 0 ? cells.value[others + (q + pairs - 1) % pairs] : beside.beyond;
      const S behind = q + 1 < pairs ? cells.value[others + (q + 1) % pairs] : beside.beyond;
      const Around around{cells.value[own + q],
                          side ? cells.value[others + q] : before,
                          side ? behind : cells.value[others + q],
                          beside.south[q],
                          beside.north[q],
                          u_[slot_of(phase, n - 1)].value[others + q],
                          u_[slot_of(phase, n + 1)].value[others + q]};
      const int i = i_ + 2 * q + side;
      cells.value[own + q] =
          S(stencil_over_relax<3, C>(a_.template at<3>(i, j_, k), around, C(right(q)), omega_));
      if (half + 1 < halves) relaxed(half, phase)[2 * q] = cells.value[own + q];
    }
  }

  // Begins to copy plane k, the one behind that of the last call, to this place.
  __device__ __forceinline__ void fetch(int k, int to) {
    const bool wanted = copies_ && k >= -1 && k <= nz_;
    copy_async(shared<Cells>(to), next_, wanted);
    next_ += from_plane_;
    if constexpr (has_source<B>) {
      copy_async(shared<Cells>(to + shape.sources_behind()), next_b_, wanted);
      next_b_ += b_plane_;
    }
    end_group_of_copies();
  }
  // To memory what is plane k now, the one behind that of the last call.
  __device__ __forceinline__ void put_back(int k, const Cells& cells, int phase) {
    if (stores_ && k >= (begin_ == 0 ? -ghosts_ : begin_))
      store_between(done_, in_memory(cells, phase), i_, -ghosts_, nx_ + ghosts_);
    done_ += to_plane_;
  }

  __device__ static constexpr int slot_of(int phase, int plane) {
    return (phase + plane + 2 * window) % window;
  }
  // Which of a pair in plane p + n has the colour: 0 the one that is relaxed first, 1 the other.
  __device__ __forceinline__ int side_of(int colour, int phase, int n) const {
    return (phase + n + colour) & 1 ? 1 - side_ : side_;
  }
  __device__ __forceinline__ bool is_swept(int half, int phase, int q) const {
    return (phase - 1 - half + half % 2) & 1 ? is_swept_[1][q] : is_swept_[0][q];
  }
  // In shared memory, the first of the thread's cells that a half sweep relaxes; of each pair there is one.
  __device__ __forceinline__ S* relaxed(int half, int phase) const {
    return shared<S>(at_[slot_of(phase, -1 - half)]) + side_of(half & 1, phase, -1 - half);
  }
  template <class T>
  __device__ __forceinline__ static T* shared(int at) {
    return reinterpret_cast<T*>(dynamic_shared<unsigned char>() + at);
  }

  // Of a plane that arrives at `phase`: those of the first colour, then those of the second; and back.
  __device__ __forceinline__ Cells by_colour(const Cells& in_memory, int phase) const {
    const bool swapped = side_of(0, phase, 0);
    Cells cells;
#pragma unroll
    for (int q = 0; q < pairs; ++q) {
      const S one = in_memory.value[2 * q], other = in_memory.value[2 * q + 1];
      cells.value[q] = swapped ? other : one;
      cells.value[pairs + q] = swapped ? one : other;
    }
    return cells;
  }
  __device__ __forceinline__ Cells in_memory(const Cells& by_colour, int phase) const {
    const bool swapped = side_of(0, phase, 0);  // 2 depth planes on
    Cells cells;
#pragma unroll
    for (int q = 0; q < pairs; ++q) {
      const S one = by_colour.value[q], other = by_colour.value[pairs + q];
      cells.value[2 * q] = swapped ? other : one;
      cells.value[2 * q + 1] = swapped ? one : other;
    }
    return cells;
  }

  const A& a_;
  const C omega_;
  const int sweeps_, nx_, nz_, ghosts_;
  const int i_, j_, begin_, end_, side_;  // of the thread's first cell, and of the part in z
  const bool copies_, relaxes_, stores_;
  bool is_swept_[2][pairs];  // of the side that side_of() tells in even phases and in odd ones
  const Index from_plane_, to_plane_;
  Index b_plane_ = 0;
  const S *next_, *next_b_ = nullptr;  // the cells that are copied next
  S* done_;
  SharedRing<shape.plane_bytes()> arriving_;
  // Plane p + n of a step is number (phase + n) % window, so that nothing is moved from step to step: where
  // it lies in shared memory, and the thread's cells.
  int at_[window];
  Cells u_[window] = {};
  // Of each sweep, the right-hand side of the second colour, of the plane whose first was relaxed last.
  S second_right_[shape.depth][pairs] = {};
};

// `sweeps`, at most depth, of `from`, into `to`. first_colour: (i + j + k) & 1 of the cells that are updated
// first. planes: of a block. ghosts: 1 if `to` is to have them too, 0 if it has. resident: blocks that a
// multiprocessor is to hold.
template <class S, class C, class A, class B, int rows, int depth, int resident>
__global__ void __launch_bounds__(32 * rows, resident)
    red_black_planes(A a, View<const S> from, B b, View<S> to, C omega, int sweeps, int first_colour,
                     int planes, int ghosts) {
  using Of = PlaneColumnOf<rows, depth>;
  PlaneWalk<S, C, A, B, Of>(a, from, b, to, omega, sweeps, first_colour, planes, ghosts).go_along();
}

}  // namespace cfdmark
