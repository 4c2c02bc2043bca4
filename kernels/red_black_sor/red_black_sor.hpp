// One red-black SOR iteration: the red cells (i + j + k even) are over-relaxed from the black ones, then the
// black from the red. omega = 1 is red-black Gauss-Seidel (Normore 2010, algorithm 5.1). NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

// Number of cells from which strip methods are preferred on CUDA: they need many rows to keep all warps of a
// device busy.
inline constexpr Index least_cells_of_strips = 2048 * 2048;

// Order in which a step updates the colours. red_black_red is a symmetric preconditioner if started from
// zero. A single colour is for callers that work between the colours.
enum class ColourOrder { red_black, red_black_red, red, black };

struct RedBlackSor {
  static constexpr bool on_coarse_grids = true;
  double omega = 1;
  ColourOrder order = ColourOrder::red_black;
  int colour = 0;  // colour of this part, relative to a grid whose first cell is red: 0 red, 1 black

  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilInOut u;
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

// The same for b = 0 without a field for it: Laplace's equation, as in published record codes.
struct RedBlackLaplace : RedBlackSor {
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilInOut u;
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
