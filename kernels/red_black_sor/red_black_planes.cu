// Several red-black iterations of a 3-D grid in one pass over memory. NVRTC reads this file, so it includes
// no standard header.
//
// A block has a column of the grid, 32 lanes wide and `rows` high, and moves along z. A lane has 16 bytes of
// adjacent cells in each of `lane_rows` rows per plane. When plane p arrives, the first colour of plane p - 1
// is relaxed, then the second of plane p - 2, whose neighbours are then all new: one iteration. The next
// iteration follows two planes behind:
//
//     plane  p + ahead  copy issued                               iter. 1     iter. 2
//            p          arrived
//            p - 1      first colour                                 |
//            p - 2      second colour                                |
//            p - 3      first colour                                             |
//            p - 4      second colour, finished: stored to memory                |
//
// Planes arrive in shared memory by asynchronous copies. Neighbours in z are the thread's own registers, in x
// the adjacent lane's. In y they are its own except around its rows. There the first colour reads the plane
// as it arrived, and each later half-step reads what the previous half-step stored in shared memory one step
// before, so a step needs one barrier. Input and output are different arrays: columns and parts of planes
// overlap by 2 depth cells, which both compute.
#include "kernels/core/stencil.hpp"
#include "kernels/red_black_sor/red_black_planes.cuh"

namespace cfdmark {

// The work of a thread on its way along z.
template <class S, class C, class A, class B, class Of>
class PlaneWalk {
 public:
  static constexpr PlaneColumn shape = Of::shape;
  using Transfer = PlaneTransfer<S, B, Of>;
  static constexpr int width = Transfer::width, pairs = width / 2, halves = shape.halves(),
                       lane_rows = shape.lane_rows;

  // Blocks tile x and y, where the first includes ghosts; parts of `planes` planes tile z.
  __device__ PlaneWalk(const A& a, const View<const S>& from, const B& b, const View<S>& to, C omega,
                       int sweeps, int first_colour, int planes, int ghosts)
      : a_(a),
        omega_(omega),
        sweeps_(sweeps),
        nz_(from.nz),
        transfer_(from, b, to, planes, ghosts),
        side_((first_colour + transfer_.j() + transfer_.begin()) & 1),
        south_(threadIdx.y > 0 ? -1 : 0),
        north_(threadIdx.y < shape.warps() - 1 ? lane_rows : 0),
        arrived_(0, shape.planes(), 0, transfer_.at()) {
#pragma unroll
    for (int r = 0; r < lane_rows; ++r) {
      const int row = int(threadIdx.y) * lane_rows + r, j = transfer_.j() + r;
      relaxes_[r] = j >= 0 && j < from.ny && row > 0 && row < shape.rows - 1;
    }
#pragma unroll
    for (int odd = 0; odd < 2; ++odd)
#pragma unroll
      for (int q = 0; q < pairs; ++q) {
        const int i = transfer_.i() + 2 * q + side_of(0, 0, odd, 0);
        is_swept_[odd][q] = i >= 0 && i < from.nx;
      }
  }

  __device__ __forceinline__ void go_along() {
    const int last = transfer_.end() + halves;
    int p = transfer_.begin() - halves;
#pragma unroll
    for (int n = 0; n < shape.ahead; ++n) transfer_.fetch(p + n, n);
    for (; p < last; p += window)
      if (p >= halves && p + window <= nz_ && sweeps_ == shape.depth)
        steps<false>(p, last);
      else
        steps<true>(p, last);
    wait_for_copies<0>();
  }

 private:
  // Number of planes in registers, from p downwards. Even, so that a phase always meets planes of one parity.
  static constexpr int window = halves + 2;
  static_assert(window == shape.source_planes());
  using Cells = typename Transfer::Cells;
  using OfColour = Pack<S, pairs>;
  static constexpr int row_bytes = Transfer::row_bytes;
  // Values adjacent to the thread's cells of a colour: in the rows south and north, and per row in the
  // adjacent lane.
  struct Beside {
    OfColour south, north;
    S beyond[lane_rows];
  };
  struct StencilIn {
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

  // Processes planes from p on. Unchecked, all planes are inside the grid and all iterations are performed.
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
    // Overwrites a plane that is no longer needed.
    transfer_.fetch(p + shape.ahead, slot_of(phase, shape.ahead));
    const int before = before_;
    before_ = arrived_.at();
    arrived_.go_on();
#pragma unroll
    for (int r = 0; r < lane_rows; ++r)
      u_[phase][r] = by_colour(*plane_shared<Cells>(before_ + r * row_bytes), r, phase);
    relax_all<checked>(p, phase, before);
    transfer_.put_back(p - halves,
                       [&](int r) { return in_memory(u_[slot_of(phase, -halves)][r], r, phase); });
  }
  template <bool checked>
  __device__ __forceinline__ void relax_all(int p, int phase, int before) {
#pragma unroll
    for (int half = 0; half < halves; half += 2) {
      // All shuffles and loads are issued before the first result is needed.
      const Beside first = beside(half, phase, before), second = beside(half + 1, phase, before);
      Cells right[lane_rows] = {};
      if constexpr (has_source<B>)
#pragma unroll
        for (int r = 0; r < lane_rows; ++r)
          right[r] =
              by_colour(*plane_shared<Cells>(transfer_.source_at(slot_of(phase, -1 - half)) + r * row_bytes),
                        r, phase - 1 - half);
      relax<checked>(half, p, phase, first, [&](int r, int q) { return right[r].value[q]; });
      relax<checked>(half + 1, p, phase, second, [&](int r, int q) { return second_right_[half / 2][r][q]; });
#pragma unroll
      for (int r = 0; r < lane_rows; ++r)
#pragma unroll
        for (int q = 0; q < pairs; ++q) second_right_[half / 2][r][q] = right[r].value[pairs + q];
    }
  }
  // before: offset of the previous plane as it arrived.
  __device__ __forceinline__ Beside beside(int half, int phase, int before) const {
    const int n = -1 - half, colour = half & 1, others = (1 - colour) * pairs;
    Beside out;
    if (half == 0) {
      const auto read = [&](int row, int r) {
        const Cells cells = *plane_shared<Cells>(before + row * row_bytes);
        const Cells sorted = by_colour(cells, r, phase + n);
        OfColour found;
#pragma unroll
        for (int q = 0; q < pairs; ++q) found.value[q] = sorted.value[pairs + q];
        return found;
      };
      out.south = read(south_, -1), out.north = read(north_, lane_rows);
    } else {
      out.south = *plane_shared<OfColour>(left_at(half - 1, phase - 1, south_));
      out.north = *plane_shared<OfColour>(left_at(half - 1, phase - 1, north_));
    }
#pragma unroll
    for (int r = 0; r < lane_rows; ++r) {
      const int side = side_of(r, colour, phase, n);
      const Cells& row = u_[slot_of(phase, n)][r];
      const S of_mine = side ? row.value[others] : row.value[others + pairs - 1];
      out.beyond[r] = __shfl_sync(0xffffffffu, of_mine, (int(threadIdx.x) + 2 * side - 1) & 31);
    }
    return out;
  }
  template <bool checked, class F>
  __device__ __forceinline__ void relax(int half, int p, int phase, const Beside& beside, const F& right) {
    const int n = -1 - half, colour = half & 1, k = p + n;
    // Offsets in colour order of the relaxed cells and of the others.
    const int own = colour * pairs, others = (1 - colour) * pairs;
    const bool in_turn = !checked || (half < 2 * sweeps_ && k >= 0 && k < nz_);
    Cells(&cells)[lane_rows] = u_[slot_of(phase, n)];
#pragma unroll
    for (int r = 0; r < lane_rows; ++r) {
      const int side = side_of(r, colour, phase, n);
      if (in_turn && relaxes_[r])
#pragma unroll
        for (int q = 0; q < pairs; ++q) {
          if (!is_swept(half, r, phase, q)) continue;
          const S before = q > 0 ? cells[r].value[others + (q + pairs - 1) % pairs] : beside.beyond[r];
          const S behind = q + 1 < pairs ? cells[r].value[others + (q + 1) % pairs] : beside.beyond[r];
          const StencilIn around{
              cells[r].value[own + q],
              side ? cells[r].value[others + q] : before,
              side ? behind : cells[r].value[others + q],
              r > 0 ? cells[(r + lane_rows - 1) % lane_rows].value[others + q] : beside.south.value[q],
              r + 1 < lane_rows ? cells[(r + 1) % lane_rows].value[others + q] : beside.north.value[q],
              u_[slot_of(phase, n - 1)][r].value[others + q],
              u_[slot_of(phase, n + 1)][r].value[others + q]};
          const int i = transfer_.i() + 2 * q + side, j = transfer_.j() + r;
          cells[r].value[own + q] =
              S(stencil_over_relax<3, C>(a_.template at<3>(i, j, k), around, C(right(r, q)), omega_));
        }
      if (half + 1 < halves && (r == 0 || r == lane_rows - 1)) {
        OfColour left;
#pragma unroll
        for (int q = 0; q < pairs; ++q) left.value[q] = cells[r].value[own + q];
        *plane_shared<OfColour>(left_at(half, phase, r)) = left;
      }
    }
  }

  __device__ static constexpr int slot_of(int phase, int plane) {
    return (phase + plane + 2 * window) % window;
  }
  // Returns the cell of a pair in row r of plane p + n that has the colour: 0 relaxed first, 1 the other.
  __device__ __forceinline__ int side_of(int r, int colour, int phase, int n) const {
    return (r + phase + n + colour) & 1 ? 1 - side_ : side_;
  }
  __device__ __forceinline__ bool is_swept(int half, int r, int phase, int q) const {
    return (r + phase - 1 - half + half % 2) & 1 ? is_swept_[1][q] : is_swept_[0][q];
  }
  // Returns the offset in shared memory of what a half-step stored for row r, counted from the thread's
  // first. Consecutive steps alternate between two buffers, so that others can still read the last one.
  __device__ __forceinline__ int left_at(int half, int phase, int r) const {
    return (transfer_.at() + r * row_bytes) / 2 + shape.planes() * shape.plane_bytes() +
           (2 * half + (phase & 1)) * (shape.plane_bytes() / 2);
  }

  // Sorts the cells of row r by colour, for a plane that arrives at `phase`; in_memory() reverses it.
  __device__ __forceinline__ Cells by_colour(const Cells& in_memory, int r, int phase) const {
    const bool swapped = side_of(r, 0, phase, 0);
    Cells cells;
#pragma unroll
    for (int q = 0; q < pairs; ++q) {
      const S one = in_memory.value[2 * q], other = in_memory.value[2 * q + 1];
      cells.value[q] = swapped ? other : one;
      cells.value[pairs + q] = swapped ? one : other;
    }
    return cells;
  }
  __device__ __forceinline__ Cells in_memory(const Cells& by_colour, int r, int phase) const {
    const bool swapped = side_of(r, 0, phase, 0);  // also true 2 depth planes later
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
  const int sweeps_, nz_;
  Transfer transfer_;
  const int side_;           // side of the thread's first row in the part's first plane
  const int south_, north_;  // adjacent rows, relative to the thread's first
  bool relaxes_[lane_rows];
  bool is_swept_[2][pairs];  // by parity of the phase, for the side that side_of() returns
  SharedRing<shape.plane_bytes()> arrived_;
  int before_ = 0;  // offset of the last plane that arrived
  // Plane p + n of a step has index (phase + n) % window, so that nothing is moved between steps: in the
  // thread's cells, and in the slots of its right-hand sides.
  Cells u_[window][lane_rows] = {};
  // Per iteration: right-hand side of the second colour for the plane whose first colour was relaxed last.
  S second_right_[shape.depth][lane_rows][pairs] = {};
};

// Performs `sweeps` (at most depth) iterations from `from` into `to`. first_colour: (i + j + k) & 1 of the
// cells updated first. planes: planes per block. ghosts: 1 to copy ghosts too, 0 if `to` has them. resident:
// minimum of resident blocks per multiprocessor.
template <class S, class C, class A, class B, int rows, int lane_rows, int depth, int resident>
__global__ void __launch_bounds__(32 * (rows / lane_rows), resident)
    red_black_planes(A a, View<const S> from, B b, View<S> to, C omega, int sweeps, int first_colour,
                     int planes, int ghosts) {
  using Of = PlaneColumnOf<rows, lane_rows, depth>;
  PlaneWalk<S, C, A, B, Of>(a, from, b, to, omega, sweeps, first_colour, planes, ghosts).go_along();
}

}  // namespace cfdmark
