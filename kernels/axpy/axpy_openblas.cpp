// axpy by OpenBLAS, as a reference for our own methods.
#include "kernels/axpy/axpy.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/library/openblas.hpp"

namespace cfdmark {
namespace {

void axpy(blasint n, float alpha, const float* x, float* y) { cblas_saxpy(n, alpha, x, 1, y, 1); }
void axpy(blasint n, double alpha, const double* x, double* y) { cblas_daxpy(n, alpha, x, 1, y, 1); }

std::string unsupported(const CellArgs<Axpy>& args) {
  if (args.fields.x.storage != args.precision)
    return "BLAS requires x and y stored and computed in one precision: use fp32 or fp64";
  if (args.kernel.beta.numerator || args.kernel.beta.value != 1) return "BLAS's axpy requires beta = 1";
  return openblas_unsupported(args.precision, args.grid());
}

template <class T>
Step prepare(Backend& backend, const CellArgs<Axpy>& args, const Config& config) {
  const DenseVector<T> x(backend, args.fields.x), y(backend, args.fields.y);
  Step step = openblas_step(config, [x, y, alpha = args.kernel.alpha] {
    axpy(y.size(), scalar_value<T>(alpha), x.data(), y.data());
  });
  step.load = [x, y] { x.load(), y.load(); };
  step.store = [y] { y.store(); };
  return step;
}

}  // namespace

// If alpha x + y is fused depends on the processor and on the position in the vector. For positive x, y and
// alpha either result is within two unit roundoffs, the kernel's own within one.
Methods<CellArgs<Axpy>> axpy_openblas() {
  return {{.name = "openblas",
           .space = openmp_space(),
           .prepare =
               [](Backend& b, const CellArgs<Axpy>& a, const Config& c) {
                 return a.precision == Precision::fp32 ? prepare<float>(b, a, c) : prepare<double>(b, a, c);
               },
           .unsupported = unsupported,
           .roundoffs = 3}};
}

}  // namespace cfdmark
