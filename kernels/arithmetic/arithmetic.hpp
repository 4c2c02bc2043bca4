// Arithmetic throughput: chains of multiply-adds in registers, one read and one write per 790 operations.
// They measure the arithmetic ceiling of the roofline, as triad measures that of memory. NVRTC reads this
// file, so it includes no standard header.
//
// Twelve values x_0 .. x_11 go through 32 rounds of x_n = s x_n + x_(n + 1), where x_0 follows x_11. The
// twelve updates of a round are independent, which keeps two units with a latency of four cycles busy; with s
// they fit into sixteen registers. Each value is used twice, so that compilers cannot run the chains one
// after the other. The final sum is (1 + s)^32 times the initial sum.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

inline constexpr int arithmetic_chains = 12, arithmetic_rounds = 32;
// Operations per cell: the rounds, 11 additions for the initial values, and 11 for the final sum.
inline constexpr int arithmetic_flops =
    2 * arithmetic_chains * arithmetic_rounds + 2 * (arithmetic_chains - 1);

// Returns the sum of the values after `rounds` rounds; f(x, y) is s x + y.
template <int rounds, class C, class F>
CFDMARK_FUNCTION C sum_after(const F& f, C x0, C x1, C x2, C x3, C x4, C x5, C x6, C x7, C x8, C x9, C x10,
                             C x11) {
  if constexpr (rounds == 0)
    return x0 + (x1 + (x2 + (x3 + (x4 + (x5 + (x6 + (x7 + (x8 + (x9 + (x10 + x11))))))))));
  else
    return sum_after<rounds - 1, C>(f, f(x0, x1), f(x1, x2), f(x2, x3), f(x3, x4), f(x4, x5), f(x5, x6),
                                    f(x6, x7), f(x7, x8), f(x8, x9), f(x9, x10), f(x10, x11), f(x11, x0));
}

template <class C, class F>
CFDMARK_FUNCTION C arithmetic(const F& f, C u) {
  return sum_after<arithmetic_rounds, C>(f, u, u + C(1), u + C(2), u + C(3), u + C(4), u + C(5), u + C(6),
                                         u + C(7), u + C(8), u + C(9), u + C(10), u + C(11));
}

// f(x, y) = s x + y with one rounding, as in the stencils; a hardware instruction where available.
template <class C>
struct FusedStep {
  C s;
  CFDMARK_FUNCTION C operator()(C x, C y) const { return multiply_add(s, x, y); }
};

// The same with two roundings: contraction is off, so this is a multiplication and an addition.
template <class C>
struct SeparateStep {
  C s;
  CFDMARK_FUNCTION C operator()(C x, C y) const { return s * x + y; }
};

struct FusedMultiplyAdd {
  double s = -0.5;

  template <class F>
  struct Fields {
    typename F::In u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.out = arithmetic<C>(FusedStep<C>{C(s)}, at.u);
  }

  static CellDescription<FusedMultiplyAdd> description();
};

struct SeparateMultiplyAdd {
  double s = -0.5;

  template <class F>
  struct Fields {
    typename F::In u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.out = arithmetic<C>(SeparateStep<C>{C(s)}, at.u);
  }

  static CellDescription<SeparateMultiplyAdd> description();
};

}  // namespace cfdmark
