#include "kernels/axpy/axpy.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/cuda/runtime/cuda_library.hpp"

namespace cfdmark {
namespace {

cublasStatus_t axpy(cublasHandle_t blas, Index n, double alpha, const double* x, double* y) {
  return cublasDaxpy_64(blas, n, &alpha, x, 1, y, 1);
}
cublasStatus_t axpy(cublasHandle_t blas, Index n, float alpha, const float* x, float* y) {
  return cublasSaxpy_64(blas, n, &alpha, x, 1, y, 1);
}

// Runs on dense copies, which are made when the step is loaded.
Plan library(Backend& backend, const CellArgs<Axpy>& args, const Config&) {
  const DenseField x(backend, args.grid(), args.precision), y(backend, args.grid(), args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    auto call = [=, n = args.grid().cells(), alpha = S(args.kernel.alpha.value)](const CudaQueue& queue) {
      check_blas(cublasSetPointerMode(queue.blas, CUBLAS_POINTER_MODE_HOST), "set the pointer mode");
      check_blas(axpy(queue.blas, n, alpha, static_cast<const S*>(x.data()), static_cast<S*>(y.data())),
                 "axpy");
    };
    return Plan{.run = {HostCall{call, true}},
                .load = {x.copy_from(args.fields.x), y.copy_from(args.fields.y)},
                .store = {y.copy_to(args.fields.y)},
                .memory = {x.buffer(), y.buffer()}};
  });
}

std::string library_cannot(const CellArgs<Axpy>& args) {
  if (args.fields.x.storage != args.precision)
    return "cuBLAS requires x and y stored and computed in one precision";
  if (args.kernel.beta.numerator || args.kernel.beta.value != 1) return "cuBLAS's axpy requires beta = 1";
  return args.kernel.alpha.numerator ? "this method requires alpha on the host" : "";
}

}  // namespace

Methods<CellArgs<Axpy>> axpy_cuda() {
  return {{.name = "cublas",
           .space = {},
           .prepare = prepare_cuda<library>,
           .unsupported = library_cannot,
           .device_code = false}};
}

}  // namespace cfdmark
