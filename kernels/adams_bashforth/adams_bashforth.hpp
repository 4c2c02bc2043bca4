// Second-order Adams-Bashforth step of all velocity components: u' = u + now R + before R_old. NVRTC reads
// this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

struct AdamsBashforth : TwoRates {
  CFDMARK_FUNCTION AdamsBashforth started() const { return {known()}; }

  template <class F>
  struct Fields {
    typename F::In ru, rv, old_ru, old_rv, u, v;
    typename F::Out new_u, new_v;
  };
  static constexpr Fields<Names> names{"R(u)", "R(v)", "old R(u)", "old R(v)", "u", "v", "new u", "new v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.new_u = at.u + (C(now) * at.ru + C(before) * at.old_ru);
    at.new_v = at.v + (C(now) * at.rv + C(before) * at.old_rv);
  }

  static CellDescription<AdamsBashforth> description();
};

// The same in 3-D.
struct AdamsBashforth3d : TwoRates {
  static constexpr int only_dims = 3;
  CFDMARK_FUNCTION AdamsBashforth3d started() const { return {known()}; }

  template <class F>
  struct Fields {
    typename F::In ru, rv, rw, old_ru, old_rv, old_rw, u, v, w;
    typename F::Out new_u, new_v, new_w;
  };
  static constexpr Fields<Names> names{"R(u)", "R(v)", "R(w)", "old R(u)", "old R(v)", "old R(w)",
                                       "u",    "v",    "w",    "new u",    "new v",    "new w"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.new_u = at.u + (C(now) * at.ru + C(before) * at.old_ru);
    at.new_v = at.v + (C(now) * at.rv + C(before) * at.old_rv);
    at.new_w = at.w + (C(now) * at.rw + C(before) * at.old_rw);
  }

  static CellDescription<AdamsBashforth3d> description();
};

}  // namespace cfdmark
