// Several red-black sweeps of a 3-D grid in one pass over memory. NVRTC reads this file: no standard header
// here.
//
// A block owns a column of the grid, 64 cells wide and `rows` high, and walks along z; a thread has a pair of
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

template <class S, class C, class A, class B, int rows, int depth>
class Column {
 public:
  using Pair =
      Pack<S, 2>;  // of cells as they lie in memory; once arrived the first colour's and the second's
  static constexpr int window = 2 * depth + 4;  // planes from p + 2 on down
  static constexpr int own_lanes = 32 - 2 * depth, own_rows = rows - 4 * depth;
  // Planes in shared memory: those that are relaxed and the one that arrives; places rotate with the
  // window's.
  static constexpr int shown = window % (2 * depth + 1) == 0 ? 2 * depth + 1 : window;

  // first: the thread's first column, even; j: its row
  __device__ Column(const A& a, const View<const S>& from, const B& b, C omega, S* shared, int first, int j,
                    int first_colour, int sweeps)
      : a_(a),
        from_(from),
        b_(b),
        omega_(omega),
        shared_(shared),
        first_(first),
        j_(j),
        first_colour_(first_colour),
        sweeps_(sweeps) {}

  __device__ __forceinline__ void start(int p) {
    load(p, 0);
    load(p + 1, 1);
  }

  // Takes in plane p, at `phase` of the window. Plane p - 2 depth is then done: returns it as it lies in
  // memory.
  __device__ __forceinline__ Pair step(int p, int phase) {
    load(p + 2, slot_of(phase, 2));
    Pair& arrived = u_[slot_of(phase, 0)];
    arrived = by_colour(arrived, p);
    if constexpr (has_source<B>) {
      Pair& right = right_[slot_of(phase, 0)];
      right = by_colour(right, p);
    }
    show(phase, 0, 0, arrived.value[0]), show(phase, 0, 1, arrived.value[1]);
#pragma unroll
    for (int half = 0; half < 2 * depth; ++half) relax(half, p, phase);
    __syncthreads();
    return by_colour(u_[slot_of(phase, -2 * depth)], p - 2 * depth);
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

  // From ghost to ghost. Nothing here looks at what was loaded: it is waited for two planes later.
  __device__ __forceinline__ void load(int k, int slot) {
    u_[slot] = {};
    if constexpr (has_source<B>) right_[slot] = {};
    if (k < -1 || k > from_.nz || j_ < -1 || j_ > from_.ny || first_ < -2 || first_ > from_.nx) return;
    u_[slot] = load_pack<2>(from_.row(j_, k) + first_);
    if constexpr (has_source<B>) right_[slot] = load_pack<2>(b_.row(j_, k) + first_);
  }

  // Which of a pair in plane k has the colour: 0 the one that is relaxed first, 1 the other.
  __device__ __forceinline__ int side_of(int colour, int k) const {
    return (first_colour_ + colour + j_ + k) & 1;
  }
  // Between the order in memory and that of colours, there and back.
  __device__ __forceinline__ Pair by_colour(const Pair& pair, int k) const {
    const bool swapped = side_of(0, k);
    Pair other;
    other.value[0] = swapped ? pair.value[1] : pair.value[0];
    other.value[1] = swapped ? pair.value[0] : pair.value[1];
    return other;
  }

  // What the rows beside see of plane p + n, `rows` above the thread's.
  __device__ __forceinline__ S& seen(int phase, int n, int colour, int row) const {
    const int place = slot_of(phase, n) % shown;
    return shared_[((place * 2 + colour) * rows + int(threadIdx.y) + row) * 32 + int(threadIdx.x)];
  }
  __device__ __forceinline__ void show(int phase, int n, int colour, S value) const {
    seen(phase, n, colour, 0) = value;
  }

  __device__ __forceinline__ void relax(int half, int p, int phase) {
    const int n = -1 - half, colour = half & 1, k = p + n;
    Pair& pair = u_[slot_of(phase, n)];
    const int side = side_of(colour, k), i = first_ + side;
    const S beside = pair.value[1 - colour];
    const S beyond = __shfl_sync(0xffffffffu, beside, (int(threadIdx.x) + 2 * side - 1) & 31);
    const bool inside = half < 2 * sweeps_ && k >= 0 && k < from_.nz && j_ >= 0 && j_ < from_.ny && i >= 0 &&
                        i < from_.nx && threadIdx.y > 0 && threadIdx.y < rows - 1;
    if (!inside) return;
    const Around around{pair.value[colour],
                        side ? beside : beyond,
                        side ? beyond : beside,
                        seen(phase, n, 1 - colour, -1),
                        seen(phase, n, 1 - colour, 1),
                        u_[slot_of(phase, n - 1)].value[1 - colour],
                        u_[slot_of(phase, n + 1)].value[1 - colour]};
    pair.value[colour] = S(stencil_over_relax<3, C>(a_.template at<3>(i, j_, k), around,
                                                    C(right_[slot_of(phase, n)].value[colour]), omega_));
    show(phase, n, colour, pair.value[colour]);
  }

  const A& a_;
  const View<const S> from_;
  const B b_;
  const C omega_;
  S* const shared_;
  const int first_, j_, first_colour_, sweeps_;
  // Plane p + n of a step lies at (phase + n) % window, so that nothing is moved from step to step.
  Pair u_[window] = {}, right_[window] = {};  // right_: 0 without a right-hand side
};

// `sweeps`, at most depth, of `from`, into `to`. first_colour: (i + j + k) & 1 of the cells that are updated
// first. planes: of a block. ghosts: 1 if `to` is to have them too, 0 if it has.
template <class S, class C, class A, class B, int rows, int depth>
__global__ void __launch_bounds__(32 * rows)
    red_black_planes(A a, View<S> from, B b, View<S> to, C omega, int sweeps, int first_colour, int planes,
                     int ghosts) {
  using Walk = Column<S, C, A, B, rows, depth>;
  const int lane = int(threadIdx.x), row = int(threadIdx.y);
  // Blocks begin with the pair and the row that hold ghosts.
  const int first = (int(blockIdx.x) * Walk::own_lanes + lane - depth - 1) * 2;
  const int j = int(blockIdx.y) * Walk::own_rows + row - 2 * depth - 1;
  const int begin = int(blockIdx.z) * planes, end = min(begin + planes, from.nz);
  const int stored_from = begin == 0 ? -ghosts : begin, stored_to = end == from.nz ? end + ghosts : end;
  const bool stores = lane >= depth && lane < 32 - depth && row >= 2 * depth && row < rows - 2 * depth &&
                      j >= -ghosts && j < to.ny + ghosts;
  Walk walk(a, read_only(from), b, omega, dynamic_shared<S>(), first, j, first_colour, sweeps);
  int p = begin - 2 * depth;
  for (walk.start(p); p < stored_to + 2 * depth; p += Walk::window) {
#pragma unroll
    for (int phase = 0; phase < Walk::window; ++phase) {
      if (p + phase >= stored_to + 2 * depth) return;
      const auto pair = walk.step(p + phase, phase);
      const int k = p + phase - 2 * depth;
      if (!stores || k < stored_from) continue;
      S* const cell = to.row(j, k) + first;
      if (first >= -ghosts && first + 2 <= to.nx + ghosts) {
        *reinterpret_cast<Pack<S, 2>*>(cell) = pair;
        continue;
      }
#pragma unroll
      for (int m = 0; m < 2; ++m)
        if (first + m >= -ghosts && first + m < to.nx + ghosts) cell[m] = pair.value[m];
    }
  }
}

}  // namespace cfdmark
