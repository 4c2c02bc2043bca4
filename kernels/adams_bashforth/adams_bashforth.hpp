// A step in time by two rates, Adams and Bashforth's: u' = u + now R + before R_old, both velocities at once.
// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"

namespace cfdmark {

struct AdamsBashforth {
  double now = 0, before = 0;  // 3/2 and -1/2 of a time step

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

}  // namespace cfdmark
