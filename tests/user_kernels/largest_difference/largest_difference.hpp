// max |u - v| over the cells: the change of an iteration.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

struct LargestDifference {
  using Reduction = MaxNormOperation;
  template <class F>
  struct Fields {
    typename F::In u, v;
  };
  static constexpr Fields<Names> names{"u", "v"};

  template <class F>
  CFDMARK_FUNCTION typename F::Number operator()(const Fields<F>& at) const {
    return at.u - at.v;
  }

  static CellDescription<LargestDifference> description();
};

}  // namespace cfdmark
