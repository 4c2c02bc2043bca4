#include <cmath>

#include "kernels/csr_apply/csr_methods.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {

Cost csr_cost(const CsrArgs& args) {
  const double entries = double(args.entries), rows = args.rows, value = double(stored_bytes(args.precision));
  const double in_matrix = args.values_in_32_bits ? sizeof(float) : value;
  const double columns = args.near.stored ? entries * sizeof(short) + double(args.far_columns) * sizeof(int) +
                                                std::ceil(rows / NearColumns::group) * sizeof(int)
                                          : entries * sizeof(int);
  const bool is_residual = args.b.origin;
  return {entries * in_matrix + columns + (rows + 1) * sizeof(int) + (is_residual ? 3 : 2) * rows * value,
          2 * entries + (is_residual ? rows : 0) + (args.dot ? 2 * rows : 0), rows};
}

Methods<CsrArgs> csr_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return csr_serial();
    case BackendKind::openmp: return csr_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return csr_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return csr_cuda();
      break;
  }
  return {};
}

Methods<CsrArgs> csr_dot_methods(BackendKind kind) {
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) return csr_dot_cuda();
  return {};
}

int usual_row_threads(int rows, Index entries) {
  constexpr int warp = 32;
  int threads = 1;
  while (2 * threads <= warp && Index(2 * threads) * rows <= entries) threads *= 2;
  return threads;
}

}  // namespace cfdmark
