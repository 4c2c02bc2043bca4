// Several red-black sweeps with arrays of coefficients in one pass over memory: half sweeps behind each
// other, all at once. NVRTC reads this file: no standard header here.
//
// A block goes down a strip of columns, row by row. When row y arrives, half sweep 0 updates row y - 2, and
// each further one the row two behind, whose neighbours the one before has left a step ago:
//
//     row    y        arrives
//            y - 2    half sweep 0: first colour      |
//            y - 4    half sweep 1: second colour     | none hangs on another's of this step:
//            y - 6    half sweep 2: first colour      | one barrier a step
//            ..                                       |
//            y - 1 - 2 halves    goes back to memory
//
// A thread has the cells of one colour of a pair of columns. What it would read for each of its sweeps anew
// it keeps for as long as a row is on its way, since that is what such a sweep has most of: the neighbours'
// coefficients and the diagonal's reciprocal in registers, the diagonal and the right-hand side in shared
// memory, where registers would not suffice. Values lie there too, the colours apart, for neighbours to find.
// Coefficients arrive two rows behind the values, since half sweep 0 is the first that needs them.
//
// The reciprocal is for quotients without branches (reciprocal.hpp): those of all half sweeps of a step then
// overlap. Code for four steps is all there is: code for as many as a block holds rows was too long to fetch.
#include "kernels/backends/async_copy.cuh"
#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/no_source.hpp"
#include "kernels/backends/strips.cuh"
#include "kernels/core/reciprocal.hpp"
#include "kernels/core/stencil.hpp"
#include "kernels/red_black_sor/red_black_wavefront.cuh"

namespace cfdmark {

// Stands for the coefficients of a cell whose equation is solved already.
template <class C>
struct SolvedCell {
  C solution;
  template <int dims, class U>
  __device__ __forceinline__ C neighbours(const U&, C) const {
    return solution;
  }
  __device__ __forceinline__ C divide_by_diagonal(C value) const { return value; }
};

// What a thread does in a pass. The colour that is updated first is 0 here, the other 1. Rows are counted
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
  // A group of threads copies a row of an array, pack by pack, and of all arrays each has a part.
  static constexpr int packs = shape.packs(sizeof(S)), groups = shape.threads() / packs,
                       copied = (arrays + groups - 1) / groups;
  __device__ __forceinline__ int group() const { return (colour_ * pairs + h_) / packs; }
  __device__ __forceinline__ int pack() const { return (colour_ * pairs + h_) % packs; }
  // Of the packs that a thread copies number m.
  __device__ __forceinline__ bool is_of_values(int m) const { return m == 0 && group() == 0; }
  struct Held {
    S west = 0, east = 0, south = 0, north = 0;
    C reciprocal = 1;  // of the diagonal
  };

  // Row n arrives. phase: n modulo 4, known to the compiler, so that all places in registers and most in
  // memory are too. No branch but a rare one lies between the half sweeps, which the compiler mixes.
  __device__ __forceinline__ void step(int n, int phase) {
    wait_for_copies<shape.ahead - 1>();
    __syncthreads();
    fetch(n + shape.ahead, phase + shape.ahead);
    if (colour_ == (phase & 1)) put_back(n - 1 - 4 * depth, phase);
    const int odd = phase & 1;  // as are all rows of this step
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

  // What a pass reads, in the order in which it waits in shared memory.
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

  // What the row that is taken has for this thread, diagonal and right-hand side into `kept`. A cell that is
  // not swept, or of a row before the first, is divided by 1.
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

  // Begins to copy row n of values and row n - 2 of all else.
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
  // To memory row n, all of whose half sweeps are done, by one thread of a pair.
  __device__ __forceinline__ void put_back(int n, int phase) const {
    const int j = place_.first_row + n, i = place_.first_i + 2 * h_;
    if (j < place_.stored_from || j >= place_.stored_to) return;
    if (i + 2 <= place_.first_column || i >= place_.end_column) return;
    const int here = phase - 1 - 4 * depth + 2 * (phase & 1);
    Pack<S, 2> pair;  // that of the thread's colour is the second one in this row
    pair.value[0] = others(here + 2)[h_], pair.value[1] = *own(here);
    store_between(to_.row(j) + i, pair, i, place_.first_column, place_.end_column);
  }

  // Which of a pair is the thread's, in an odd row or an even one.
  __device__ __forceinline__ int side_in(int odd) const { return colour_ ^ odd; }
  // Where row number n lies, counted from the row whose phase is 0: see own_.
  __device__ __forceinline__ S* own(int n) const { return own_[age_of(n)] + (n & 3) * pairs; }
  __device__ __forceinline__ const S* others(int n) const { return others_[age_of(n)] + (n & 3) * pairs; }
  __device__ __forceinline__ static constexpr int age_of(int n) { return (quads - (n >> 2)) % quads; }
  // The diagonal of the thread's cell in that row, and behind it its right-hand side.
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
  // Row n of the first colour has number n, row n of the other one number n + 2: so what threads of either
  // colour update in a step has one number, and what they find beside it has numbers that are 2 more of the
  // one colour and 2 less of the other. Rows lie in quads by their numbers. own_[age] is the quad that is
  // `age` older than that of this step, at this thread's pair; others_ that of the other colour, one older
  // for threads of the second colour: so both find the same row at a number that is 2 more.
  S* own_[quads];
  const S* others_[quads];
  S* kept_[depth];  // quads of diagonals, where the oldest makes room for the newest
  S* waiting_[2];   // quads of rows of all arrays, that of this step and the other one
  // In even rows and in odd ones: whether the thread's cell is swept, and its neighbours along the row.
  bool is_swept_[2];
  int west_[2], east_[2];
  bool divides_ = false;  // a diagonal was not safe: from then on by division
  // Of the pack that it copies.
  bool has_values_, has_cells_;
  const S* copied_[copied];
  int copied_to_;
  Index next_row_;
  Held held_[4][depth];  // of row n, whose phase is n % 4, after as many sweeps
};

// `sweeps`, at most depth, of `from` into `to`. first_colour: (i + j) & 1 of the cells that are updated
// first. ghosts: 1 if `to` is to have them too, 0 if it has. resident: blocks that a multiprocessor is to
// hold.
template <class S, class C, class A, class B, int pairs, int depth, int resident>
__global__ void __launch_bounds__(2 * pairs, resident)
    red_black_wavefront(A a, View<const S> from, B b, View<S> to, C omega, int sweeps, int first_colour,
                        int ghosts) {
  using Of = WavefrontOf<pairs, depth>;
  const WavefrontPlace<S, Of> place(from.nx, from.ny, first_colour, ghosts);
  WavefrontPass<S, C, B, Of>(a, from, b, to, omega, sweeps, place).go_down();
}

}  // namespace cfdmark
