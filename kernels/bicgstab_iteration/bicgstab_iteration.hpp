// The passes of a BiCGStab iteration that only the solver's `fused` method uses. NVRTC reads this file, so it
// includes no standard header.
//
//   direction   p = r + beta (p - omega v)
//   product     v = A p,   result = shadow . v;   t = A s,   result = s . t
//   update      u = u + alpha p + omega s,   r = s - omega t,   result = shadow . r of the new r
//
// Rounding matches the textbook's separate operations, so the fields have the same bits.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/scalar.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

struct BiCgStabDirection {
  Scalar inverse_omega, beta_omega;  // 1 / omega, beta omega

  template <class F>
  struct Fields {
    typename F::In r, v;
    typename F::InOut p;
  };
  static constexpr Fields<Names> names{"r", "v", "p"};

  CFDMARK_FUNCTION BiCgStabDirection started() const { return {known(inverse_omega), known(beta_omega)}; }

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C without_v = C(inverse_omega.value) * at.p - at.v;
    at.p = at.r + C(beta_omega.value) * without_v;
  }

  static CellDescription<BiCgStabDirection> description();
};

// out = A u, result = w . out; w may be u.
struct BiCgStabProduct {
  using Reduction = SumOperation;
  template <class F>
  struct Fields {
    typename F::Operator a;
    typename F::StencilIn u;
    typename F::In w;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"a", "u", "w", "out"};

  template <class F>
  CFDMARK_FUNCTION Product<typename F::Number> operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C product = stencil_apply<F::dims, C>(at.a, at.u);
    at.out = product;
    return {at.w, product};
  }

  static CellDescription<BiCgStabProduct> description();
};

struct BiCgStabUpdate {
  using Reduction = SumOperation;
  Scalar alpha, omega;

  template <class F>
  struct Fields {
    typename F::In p, t, shadow;
    typename F::InOut u, r;  // r holds s before the update
  };
  static constexpr Fields<Names> names{"p", "t", "shadow", "u", "r"};

  CFDMARK_FUNCTION BiCgStabUpdate started() const { return {known(alpha), known(omega)}; }

  template <class F>
  CFDMARK_FUNCTION Product<typename F::Number> operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C s = at.r, half_way = multiply_add(C(alpha.value), at.p, at.u);
    const C residual = multiply_add(C(-omega.value), at.t, s);
    at.u = multiply_add(C(omega.value), s, half_way);
    at.r = residual;
    return {at.shadow, residual};
  }

  static CellDescription<BiCgStabUpdate> description();
};

}  // namespace cfdmark
