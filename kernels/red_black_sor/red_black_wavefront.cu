// Several red-black iterations with coefficient arrays in one pass over memory: a wavefront of half-steps
// that run concurrently. NVRTC reads this file, so it includes no standard header.
//
// A block moves down a strip of columns, row by row. When row y arrives, half-step 0 updates row y - 2. Each
// further half-step updates the row two behind, whose neighbours the previous half-step finished one step
// ago:
//
//     row    y        arrives
//            y - 2    half-step 0: first colour       |
//            y - 4    half-step 1: second colour      | independent within a step:
//            y - 6    half-step 2: first colour       | one barrier per step
//            ..                                       |
//            y - 1 - 2 halves    stored to memory
//
// A thread has the cells of one colour in a pair of columns. It keeps what every iteration would otherwise
// read again while a row is in flight: the neighbours' coefficients and the diagonal's reciprocal in
// registers, the diagonal and the right-hand side in shared memory, for lack of registers. Values are in
// shared memory too, one array per colour, where neighbours read them. Coefficients arrive two rows after the
// values, since half-step 0 is the first to need them.
//
// The reciprocal serves quotients without branches (reciprocal.hpp), so those of all half-steps of a step
// overlap. The code is unrolled for four steps only: unrolled for all rows of a block it would exceed the
// instruction cache.
#include "kernels/core/reciprocal.hpp"
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/async_copy.cuh"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/strips.cuh"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"
#include "kernels/red_black_sor/red_black_wavefront.cuh"

namespace cfdmark {

// The coefficients of a cell whose equation is already solved.
template <class C>
struct SolvedCell {
  C solution;
  template <int dims, class U>
  __device__ __forceinline__ C neighbours(const U&, C) const {
    return solution;
  }
  __device__ __forceinline__ C divide_by_diagonal(C value) const { return value; }
};

// The work of a thread in a pass. Colour 0 is the one updated first, colour 1 the other. Rows are counted
// from the first that arrives.
template <class S, class C, class B, class Of>
class WavefrontPass {
 public:
  static constexpr Wavefront shape = Of::shape;
  using Place = WavefrontPlace<S, Of>;

  __device__ WavefrontPass(const StencilArrays<S, C>& a, const View<const S>& from, const B& b,
                           const View<S>& to, C omega, int sweeps, const Place& place)
      : a_(a),
        from_(from),
        b_(b),
        to_(to),
        omega_(omega),
        sweeps_(sweeps),
        place_(place),
        next_row_(place.first_row * from.pitch) {
    S* const values = dynamic_shared<S>();
    S* const kept = values + 2 * rows * pairs;
    waiting_[0] = kept + (1 + has_source<B>)*kept_array, waiting_[1] = waiting_[0] + 4 * waiting_row;
    const int column = place.first_i + pack() * width;
    has_values_ = column + width >= 0 && column <= from.nx,
    has_cells_ = column + width > 0 && column < from.nx;
#pragma unroll
    for (int m = 0; m < copied; ++m)
      copied_[m] = array(group() + m * groups).origin + column - (is_of_values(m) ? 0 : 2 * from.pitch);
    copied_to_ = group() * 2 * pairs + pack() * width;
#pragma unroll
    for (int age = 0; age < quads; ++age) {
      const int quad = (quads - age) % quads, of_others = (quads - age - colour_ + quads) % quads;
      own_[age] = values + (colour_ * rows + 4 * quad) * pairs + h_;
      others_[age] = values + ((1 - colour_) * rows + 4 * of_others) * pairs;
    }
#pragma unroll
    for (int age = 0; age < depth; ++age)
      kept_[age] = kept + (8 * ((depth - age) % depth) + colour_) * pairs + h_;
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      const int side = side_in(odd), i = place.first_i + 2 * h_ + side;
      is_swept_[odd] = i >= 0 && i < from.nx && (side ? h_ < pairs - 1 : h_ > 0);
      west_[odd] = max(h_ - 1 + side, 0), east_[odd] = min(h_ + side, pairs - 1);
    }
  }

  __device__ __forceinline__ void go_down() {
#pragma unroll
    for (int n = 0; n < shape.ahead; ++n) fetch(n, n);
    for (int n = 0; n < place_.steps; n += 4) {
#pragma unroll
      for (int phase = 0; phase < 4; ++phase) step(n + phase, phase);
      S* const oldest = own_[depth];
      const S* const oldest_of_others = others_[depth];
#pragma unroll
      for (int age = depth; age > 0; --age) own_[age] = own_[age - 1], others_[age] = others_[age - 1];
      own_[0] = oldest, others_[0] = oldest_of_others;
      S* const oldest_kept = kept_[depth - 1];
#pragma unroll
      for (int age = depth - 1; age > 0; --age) kept_[age] = kept_[age - 1];
      kept_[0] = oldest_kept;
      S* const waiting = waiting_[0];
      waiting_[0] = waiting_[1], waiting_[1] = waiting;
    }
    wait_for_copies<0>();
  }

 private:
  static constexpr int pairs = shape.pairs, depth = shape.depth, quads = shape.quads(), rows = 4 * quads,
                       kept_array = 4 * depth * 2 * pairs, width = Place::width;
  static constexpr int arrays = 6 + has_source<B>, waiting_row = arrays * 2 * pairs;
  // A group of threads copies a row of an array, pack by pack; the groups share the arrays.
  static constexpr int packs = shape.packs(sizeof(S)), groups = shape.threads() / packs,
                       copied = (arrays + groups - 1) / groups;
  __device__ __forceinline__ int group() const { return (colour_ * pairs + h_) / packs; }
  __device__ __forceinline__ int pack() const { return (colour_ * pairs + h_) % packs; }
  // Returns true if pack number m of this thread is one of values.
  __device__ __forceinline__ bool is_of_values(int m) const { return m == 0 && group() == 0; }
  struct Held {
    S west = 0, east = 0, south = 0, north = 0;
    C reciprocal = 1;  // reciprocal of the diagonal
  };

  // Processes the arrival of row n. phase: n modulo 4, a constant after unrolling, so that register indices
  // and most memory offsets are constants. Only one rare branch separates the half-steps, which the compiler
  // interleaves.
  __device__ __forceinline__ void step(int n, int phase) {
    wait_for_copies<shape.ahead - 1>();
    __syncthreads();
    fetch(n + shape.ahead, phase + shape.ahead);
    if (colour_ == (phase & 1)) put_back(n - 1 - 4 * depth, phase);
    const int odd = phase & 1;  // parity of all rows of this step
    *(colour_ == 0 ? own(phase) : own(phase + 2)) = waiting(phase)[2 * h_ + side_in(odd)];
    Held(&held)[depth] = held_[phase];
#pragma unroll
    for (int k = depth - 1; k > 0; --k) held[k] = held[k - 1];
    held[0] = coefficients(colour_ == 0 ? waiting(phase) : waiting(phase - 2), kept(phase - 2), odd,
                           n >= 2 + 2 * colour_);

    C dividends[depth], quotients[depth];
    bool divides = divides_;
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      const int here = phase - 4 * k;
      const FivePoints<S, C> around{S(0), others(here)[west_[odd]], others(here)[east_[odd]],
                                    others(here - 1)[h_], others(here + 1)[h_]};
      const S* const of_cell = kept(phase - 2 - 4 * k);
      const CellStencil<C> cell{
          C(held[k].west), C(held[k].east), C(held[k].south), C(held[k].north), C(0), C(0), C(of_cell[0])};
      dividends[k] = cell.template neighbours<2>(around, has_source<B> ? C(of_cell[kept_array]) : C(0));
      quotients[k] = quotient_by_reciprocal(dividends[k], cell.centre, held[k].reciprocal);
      divides = divides | !is_safe_dividend(dividends[k]);
    }
    if (divides)
#pragma unroll
      for (int k = 0; k < depth; ++k) quotients[k] = dividends[k] / C(*kept(phase - 2 - 4 * k));
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      const int j = place_.first_row + n - 2 - 4 * k - 2 * colour_;
      const bool is_swept = is_swept_[odd] & (k < sweeps_) & (unsigned(j) < unsigned(from_.ny));
      S& value = *own(phase - 2 - 4 * k);
      const S old = value,
              relaxed = S(stencil_over_relax<2, C>(
                  SolvedCell<C>{quotients[k]}, [&](int, int, int) { return C(old); }, C(0), omega_));
      value = is_swept ? relaxed : old;
    }
  }

  // Returns the inputs of a pass, in their order in shared memory.
  __device__ __forceinline__ const View<const S>& array(int n) const {
    if constexpr (has_source<B>)
      if (n == 6) return b_;
    return n == 0   ? from_
           : n == 1 ? a_.west
           : n == 2 ? a_.east
           : n == 3 ? a_.south
           : n == 4 ? a_.north
                    : a_.centre;
  }

  // Returns this thread's coefficients of a row and stores diagonal and right-hand side in `kept`. Cells that
  // are not updated, and rows before the first, get the diagonal 1.
  __device__ __forceinline__ Held coefficients(const S* row, S* kept, int odd, bool is_row) {
    row += 2 * h_ + side_in(odd);
    const auto of = [&](int array) { return row[array * 2 * pairs]; };
    Held held{of(1), of(2), of(3), of(4)};
    const S centre = is_row & is_swept_[odd] ? of(5) : S(1);
    kept[0] = centre;
    if constexpr (has_source<B>) kept[kept_array] = of(6);
    held.reciprocal = safe_reciprocal(C(centre));
    divides_ = divides_ | !has_safe_reciprocal(C(centre));
    return held;
  }

  // Starts the copy of row n of the values and row n - 2 of all other arrays.
  __device__ __forceinline__ void fetch(int n, int phase) {
    const int y = place_.first_row + n;
    const bool has_values = has_values_ & (y >= -1) & (y <= from_.ny);
    const bool has_cells = has_cells_ & (unsigned(y - 2) < unsigned(from_.ny));
#pragma unroll
    for (int m = 0; m < copied; ++m)
      if (m + 1 < copied || group() + m * groups < arrays)
        copy_async(waiting(phase) + copied_to_ + m * groups * 2 * pairs, copied_[m] + next_row_,
                   is_of_values(m) ? has_values : has_cells);
    end_group_of_copies();
    next_row_ += from_.pitch;
  }
  // Stores row n, whose half-steps are all done; one thread of each pair does so.
  __device__ __forceinline__ void put_back(int n, int phase) const {
    const int j = place_.first_row + n, i = place_.first_i + 2 * h_;
    if (j < place_.stored_from || j >= place_.stored_to) return;
    if (i + 2 <= place_.first_column || i >= place_.end_column) return;
    const int here = phase - 1 - 4 * depth + 2 * (phase & 1);
    Pack<S, 2> pair;  // the thread's colour is the second one in this row
    pair.value[0] = others(here + 2)[h_], pair.value[1] = *own(here);
    store_between(to_.row(j) + i, pair, i, place_.first_column, place_.end_column);
  }

  // Returns the cell of a pair that belongs to the thread, in an odd or an even row.
  __device__ __forceinline__ int side_in(int odd) const { return colour_ ^ odd; }
  // Return the address of row n, counted from the row whose phase is 0; see own_.
  __device__ __forceinline__ S* own(int n) const { return own_[age_of(n)] + (n & 3) * pairs; }
  __device__ __forceinline__ const S* others(int n) const { return others_[age_of(n)] + (n & 3) * pairs; }
  __device__ __forceinline__ static constexpr int age_of(int n) { return (quads - (n >> 2)) % quads; }
  // Returns the address of the diagonal of the thread's cell in that row; the right-hand side is kept_array
  // after it.
  __device__ __forceinline__ S* kept(int n) const { return kept_[age_of(n) % depth] + (n & 3) * 2 * pairs; }
  __device__ __forceinline__ S* waiting(int n) const { return waiting_[n >> 2 & 1] + (n & 3) * waiting_row; }

  const int h_ = threadIdx.x, colour_ = threadIdx.y;
  const StencilArrays<S, C>& a_;
  const View<const S>& from_;
  const B& b_;
  const View<S>& to_;
  const C omega_;
  const int sweeps_;
  const Place& place_;
  // Row n of the first colour has number n, row n of the second colour number n + 2. So the rows that both
  // kinds of threads update in a step have equal numbers; those of the other colour differ by 2, up or down.
  // Rows are stored in groups of four by number. own_[age] is the group `age` older than that of this step,
  // at this thread's pair. others_ is the same for the other colour, one older for threads of the second
  // colour, so that both find a row at a number that is 2 more.
  S* own_[quads];
  const S* others_[quads];
  S* kept_[depth];  // groups of diagonals; the newest replaces the oldest
  S* waiting_[2];   // groups of rows of all arrays: that of this step and the other one
  // By parity of the row: true if the thread's cell is updated, and the columns of its neighbours along the
  // row.
  bool is_swept_[2];
  int west_[2], east_[2];
  bool divides_ = false;  // true once a diagonal was unsafe: quotients then use division
  // For the packs that this thread copies.
  bool has_values_, has_cells_;
  const S* copied_[copied];
  int copied_to_;
  Index next_row_;
  Held held_[4][depth];  // of row n, with phase n % 4, by number of iterations done
};

// Performs `sweeps` (at most depth) iterations from `from` into `to`. first_colour: (i + j) & 1 of the cells
// updated first. ghosts: 1 to copy ghosts too, 0 if `to` has them. resident: minimum of resident blocks per
// multiprocessor.
template <class S, class C, class A, class B, int pairs, int depth, int resident>
__global__ void __launch_bounds__(2 * pairs, resident)
    red_black_wavefront(A a, View<const S> from, B b, View<S> to, C omega, int sweeps, int first_colour,
                        int ghosts) {
  using Of = WavefrontOf<pairs, depth>;
  const WavefrontPlace<S, Of> place(from.nx, from.ny, first_colour, ghosts);
  WavefrontPass<S, C, B, Of>(a, from, b, to, omega, sweeps, place).go_down();
}

}  // namespace cfdmark
