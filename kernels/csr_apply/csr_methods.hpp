// Arguments and methods of csr_apply.hpp.
#pragma once

#include "kernels/core/method.hpp"
#include "kernels/core/operator.hpp"
#include "kernels/csr_apply/csr_apply.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

struct CsrArgs {
  Precision precision = Precision::fp64;  // of the vectors, and of the matrix unless its values are narrower
  int rows = 0;
  Index entries = 0;
  const int *row_begin = nullptr, *column = nullptr;
  const void* value = nullptr;
  bool values_in_32_bits = false;  // under vectors of 64 bits
  NearColumns near = {};           // in place of `column` if it has codes
  Index far_columns = 0;           // in the list of `near`
  // Contiguous vectors; x has a value per column. With a null b the result is y = A x, else y = b - A x.
  AnyView x = {}, b = {}, y = {};
  double* dot = nullptr;  // in a backend's memory: gets x . y (csr_dot_methods)

  template <class S>
  CsrVectors<S> vectors() const {
    return {static_cast<const S*>(x.origin), static_cast<const S*>(b.origin), static_cast<S*>(y.origin)};
  }
};

// Calls f.template operator()<S, C>(matrix), a CsrRows, with the types of vectors and of arithmetic, and
// returns its result.
template <class F>
auto with_csr_types(const CsrArgs& args, const F& f) {
  return with_types(args.precision, [&]<class S, class C>() {
    const auto with_values = [&]<class V>(const V* value) {
      if (args.near.stored)
        return f.template operator()<S, C>(
            CsrRows<V, NearColumns>{args.rows, args.row_begin, args.near, value});
      return f.template operator()<S, C>(
          CsrRows<V, FullColumns>{args.rows, args.row_begin, {args.column}, value});
    };
    return args.values_in_32_bits ? with_values(static_cast<const float*>(args.value))
                                  : with_values(static_cast<const S*>(args.value));
  });
}

// Returns the work of one product. Each value of x counts once, as if it stayed in a cache.
Cost csr_cost(const CsrArgs&);
Methods<CsrArgs> csr_methods(BackendKind);

// Products y = A x that also give x . y, in one pass; none on a backend where that is not faster.
Methods<CsrArgs> csr_dot_methods(BackendKind);

// Returns the CUDA threads that share a row: the largest power of two up to the mean number of its entries.
int usual_row_threads(int rows, Index entries);

// The rest is for the files of this folder.
Methods<CsrArgs> csr_serial();
Methods<CsrArgs> csr_openmp();
Methods<CsrArgs> csr_kokkos();
Methods<CsrArgs> csr_cuda();
Methods<CsrArgs> csr_dot_cuda();

}  // namespace cfdmark
