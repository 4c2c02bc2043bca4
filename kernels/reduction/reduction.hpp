// sum, dot and max-norm over the interior cells. Deterministic: the same bits in every run on the same
// backend and config, and on serial and openmp for any number of threads. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

struct Sum {
  using Reduction = SumOperation;
  template <class F>
  struct Fields {
    typename F::In x;
  };
  static constexpr Fields<Names> names{"x"};

  template <class F>
  CFDMARK_FUNCTION typename F::Number operator()(const Fields<F>& at) const {
    return at.x;
  }

  static CellDescription<Sum> description();
};

struct Dot {
  using Reduction = SumOperation;
  template <class F>
  struct Fields {
    typename F::In x, y;  // y may be x
  };
  static constexpr Fields<Names> names{"x", "y"};

  template <class F>
  CFDMARK_FUNCTION Product<typename F::Number> operator()(const Fields<F>& at) const {
    return {at.x, at.y};
  }

  static CellDescription<Dot> description();
};

struct MaxNorm {
  using Reduction = MaxNormOperation;
  template <class F>
  struct Fields {
    typename F::In x;
  };
  static constexpr Fields<Names> names{"x"};

  template <class F>
  CFDMARK_FUNCTION typename F::Number operator()(const Fields<F>& at) const {
    return at.x;
  }

  static CellDescription<MaxNorm> description();
};

// product = x y, cell by cell: the first of two passes of a dot product.
struct Multiply {
  template <class F>
  struct Fields {
    typename F::OtherIn x, y;
    typename F::Out product;
  };
  static constexpr Fields<Names> names{"x", "y", "product"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.product = at.x * at.y;
  }

  static CellDescription<Multiply> description();
};

}  // namespace cfdmark
