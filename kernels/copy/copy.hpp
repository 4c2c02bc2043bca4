// a = b, the copy of McCalpin's STREAM. It measures memory bandwidth, a ceiling of the roofline. NVRTC reads
// this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

struct Copy {
  template <class F>
  struct Fields {
    typename F::In b;
    typename F::Out a;
  };
  static constexpr Fields<Names> names{"b", "a"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.a = at.b;
  }

  static CellDescription<Copy> description();
};

}  // namespace cfdmark
