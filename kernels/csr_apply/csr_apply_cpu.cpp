#include "kernels/csr_apply/csr_methods.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"

namespace cfdmark {
namespace {

// The arguments are copies, so that no store can alias them.
template <class S, class C, class Rows>
[[gnu::noinline]] void multiply_rows(const Rows matrix, const CsrVectors<S> v, Index first, Index end) {
  for (int row = int(first); row < int(end); ++row) v.store(row, matrix.template product<C>(row, v.x));
}

Step by_rows(const CsrArgs& args, const HostRows& rows) {
  return with_csr_types(args, [&]<class S, class C>(const auto& matrix) {
    return row_step(rows, [=, vectors = args.vectors<S>()] {
      rows.ranges(matrix.rows,
                  [&](Index first, Index end) { multiply_rows<S, C>(matrix, vectors, first, end); });
    });
  });
}

}  // namespace

Methods<CsrArgs> csr_serial() {
  return {
      {"plain", {}, [](Backend&, const CsrArgs& a, const Config& c) { return by_rows(a, serial_rows(c)); }}};
}
Methods<CsrArgs> csr_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const CsrArgs& a, const Config& c) { return by_rows(a, openmp_rows(c)); }}};
}

}  // namespace cfdmark
