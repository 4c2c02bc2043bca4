// One red-black SOR sweep: the red cells (i + j + k even) are over-relaxed from the black ones, then the
// black from the red. omega = 1 is red-black Gauss-Seidel (Normore 2010, algorithm 5.1). NVRTC reads this
// file: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

// On CUDA, passes down strips of columns are usual on grids of so many cells: they need many rows one after
// the other for all warps of a device.
inline constexpr Index least_cells_of_strips = 2048 * 2048;

// Which colours a step updates, in turn. red_black_red is symmetric from a zero start: a preconditioner. One
// alone is for whoever has something to do between them.
enum class ColourOrder { red_black, red_black_red, red, black };

struct RedBlackSor {
  static constexpr bool on_coarse_grids = true;
  double omega = 1;
  ColourOrder order = ColourOrder::red_black;
  int colour = 0;  // of this part, where the grid's first cell is red: 0 red, 1 black

  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::InOutAround u;
    typename F::In b;
  };
  static constexpr Fields<Names> names{"a", "u", "b"};

  CFDMARK_FUNCTION int parts() const {
    return order == ColourOrder::red_black ? 2 : order == ColourOrder::red_black_red ? 3 : 1;
  }
  CFDMARK_FUNCTION RedBlackSor part(int n) const {
    return {omega, order, order == ColourOrder::black ? 1 : n % 2};
  }
  RedBlackSor on(int parity) const { return {omega, order, colour ^ parity}; }
  CFDMARK_FUNCTION int first(int j, int k) const { return (colour + j + k) & 1; }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.u = stencil_over_relax<F::dims, C>(at.a, at.u, at.b, C(omega));
  }

  static CellDescription<RedBlackSor> description();
};

// The same where b is 0, and lies in no memory: Laplace's equation, as others' record code has it.
struct RedBlackLaplace : RedBlackSor {
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::InOutAround u;
  };
  static constexpr Fields<Names> names{"a", "u"};

  CFDMARK_FUNCTION RedBlackLaplace part(int n) const { return {RedBlackSor::part(n)}; }
  RedBlackLaplace on(int parity) const { return {RedBlackSor::on(parity)}; }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.u = stencil_over_relax<F::dims, C>(at.a, at.u, C(0), C(omega));
  }

  static CellDescription<RedBlackLaplace> description();
};

}  // namespace cfdmark
