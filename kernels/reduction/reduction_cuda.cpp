#include <type_traits>

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "kernels/reduction/reduction_methods.hpp"

namespace cfdmark {
namespace {

cublasStatus_t dot(cublasHandle_t blas, Index n, const double* x, const double* y, double* result) {
  return cublasDdot_64(blas, n, x, 1, y, 1, result);
}
cublasStatus_t dot(cublasHandle_t blas, Index n, const float* x, const float* y, float* result) {
  return cublasSdot_64(blas, n, x, 1, y, 1, result);
}

// In fp32 cuBLAS stores a float; it is converted to the result when the step is stored.
HostCall widen(Backend& backend, const Buffer& value, double* result) {
  return {[&backend, value, result](const CudaQueue&) {
    float narrow = 0;
    backend.fence();
    backend.download(&narrow, value.data(), sizeof narrow);
    const double wide = narrow;
    backend.upload(result, &wide, sizeof wide);
  }};
}

// Computes a dot product of dense copies, which are made when the step is loaded. A sum is a dot product with
// ones, because asum adds absolute values.
template <class K>
Plan library(Backend& backend, const CellArgs<K>& args, const Config&) {
  constexpr bool sum = std::is_same_v<K, Sum>;
  const Grid g = args.grid();
  const DenseField x(backend, g, args.precision);
  const DenseField y = with_itself(args) ? x : DenseField(backend, g, args.precision);
  const Buffer value(backend, sizeof(float));
  if (sum) y.fill_with_ones(backend);
  return with_types(args.precision, [&]<class S, class C>() {
    S* result = std::is_same_v<S, float> ? static_cast<S*>(value.data()) : reinterpret_cast<S*>(args.result);
    auto call = [=, n = g.cells()](const CudaQueue& queue) {
      check_blas(cublasSetPointerMode(queue.blas, CUBLAS_POINTER_MODE_DEVICE), "set the pointer mode");
      check_blas(dot(queue.blas, n, static_cast<const S*>(x.data()), static_cast<const S*>(y.data()), result),
                 "dot");
    };
    Plan plan{.run = {HostCall{call, true}},
              .load = {x.copy_from(args.fields.x)},
              .memory = {x.buffer(), y.buffer(), value}};
    if (!sum) plan.load.push_back(y.copy_from(second_field(args)));
    if (std::is_same_v<S, float>) plan.store.push_back(widen(backend, value, args.result));
    return plan;
  });
}

template <class K>
std::string library_cannot(const CellArgs<K>& args) {
  if (std::is_same_v<K, MaxNorm>) return "cuBLAS's amax returns an index, not a value";
  return args.precision == Precision::mixed
             ? "cuBLAS has no dot product of 32-bit values in 64-bit arithmetic"
             : "";
}

}  // namespace

template <class K>
Methods<CellArgs<K>> reduction_cuda() {
  Methods<CellArgs<K>> methods = {{.name = "cublas",
                                   .space = {},
                                   .prepare = prepare_cuda<library<K>>,
                                   .unsupported = library_cannot<K>,
                                   .cost = library_cost<K>,
                                   .device_code = false}};
  for (Method<CellArgs<K>>& method : reduction_levels_cuda<K>()) methods.push_back(std::move(method));
  return methods;
}
template Methods<CellArgs<Sum>> reduction_cuda();
template Methods<CellArgs<Dot>> reduction_cuda();
template Methods<CellArgs<MaxNorm>> reduction_cuda();

}  // namespace cfdmark
