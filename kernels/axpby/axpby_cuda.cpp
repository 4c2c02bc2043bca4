#include <algorithm>

#include "kernels/axpby/axpby.hpp"
#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/backends/cuda_library.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/axpby/axpby.cu";

Plan sweep(const char* name, const AxpbyArgs& args, const Config& config, int cells_x) {
  return with_axpby_types(args, [&]<class X, class Y, class C>() {
    const Extent t = block_of(config);
    return Plan{.run = {Launch{{source, instance<X, Y, C>(name, {args.reads_y(), t.x, t.y, t.z})},
                               blocks_over(args.grid, t, {cells_x, 1, 1}),
                               t,
                               Arguments(args.alpha, args.x.as<const X>(), args.beta, args.y.as<Y>())}}};
  });
}

Plan plain(Backend&, const AxpbyArgs& args, const Config& config) {
  return sweep("axpby_plain", args, config, 1);
}
Plan vector(Backend&, const AxpbyArgs& args, const Config& config) {
  const int narrower = int(std::min(stored_bytes(args.x_storage), stored_bytes(args.y_storage)));
  return sweep("axpby_vector", args, config, 16 / narrower);
}

cublasStatus_t axpy(cublasHandle_t blas, Index n, double alpha, const double* x, double* y) {
  return cublasDaxpy_64(blas, n, &alpha, x, 1, y, 1);
}
cublasStatus_t axpy(cublasHandle_t blas, Index n, float alpha, const float* x, float* y) {
  return cublasSaxpy_64(blas, n, &alpha, x, 1, y, 1);
}

// On dense copies, made when the step is loaded.
Plan library(Backend& backend, const AxpbyArgs& args, const Config&) {
  const DenseField x(backend, args.grid, args.precision), y(backend, args.grid, args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    auto call = [=, n = args.grid.cells(), alpha = S(args.alpha.value)](const CudaQueue& queue) {
      check_blas(cublasSetPointerMode(queue.blas, CUBLAS_POINTER_MODE_HOST), "set the pointer mode");
      check_blas(axpy(queue.blas, n, alpha, static_cast<const S*>(x.data()), static_cast<S*>(y.data())),
                 "axpy");
    };
    return Plan{.run = {HostCall{call, true}},
                .load = {x.copy_from(args.x), y.copy_from(args.y)},
                .store = {y.copy_to(args.y)},
                .memory = {x.buffer(), y.buffer()}};
  });
}

std::string library_cannot(const AxpbyArgs& args) {
  if (args.x_storage != args.precision || args.y_storage != args.precision)
    return "cuBLAS computes an axpy in the precision in which x and y are stored";
  if (args.beta.numerator || args.beta.value != 1) return "cuBLAS adds alpha x to y as it is: beta must be 1";
  return args.alpha.numerator ? "cuBLAS is given alpha by the host" : "";
}

}  // namespace

Methods<AxpbyArgs> axpby_cuda() {
  return {{"plain", block_space(), prepare_cuda<plain>},
          {.name = "vector",
           .space = block_space(),
           .prepare = prepare_cuda<vector>,
           .preferred = always<AxpbyArgs>},
          {"cublas", {}, prepare_cuda<library>, library_cannot}};
}

}  // namespace cfdmark
