#include <algorithm>
#include <type_traits>

#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/backends/cuda_library.hpp"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/reduction/reduction.cu";
constexpr int finishing_threads = 256;

// One launch leaves a partial result a block, a second joins them. `width`: neighbouring cells a thread loads
// at once.
Plan two_launches(Backend& backend, const ReductionArgs& args, const Config& config, int width) {
  const Extent threads = block_of(config);
  const Grid& g = args.grid;
  const int blocks = std::min(config.whole("blocks"), (g.ny * g.nz + threads.y - 1) / threads.y);
  const Buffer partial(backend, blocks * sizeof(double));
  double* const results = static_cast<double*>(partial.data());
  const bool two_fields = args.operation == ReductionOperation::dot && args.x.origin != args.y.origin;
  return with_types(args.precision, [&]<class S, class C>() {
    return with_operation(args.operation, [&]<class Op>() {
      const auto x = args.x.as<const S>(), y = (two_fields ? args.y : args.x).template as<const S>();
      return Plan{.run = {Launch{{source, instance<Op, S, C>("reduction_partial",
                                                             {two_fields, width, threads.x, threads.y})},
                                 {blocks},
                                 threads,
                                 Arguments(x, y, results)},
                          Launch{{source, instance<Op>("reduction_finish", {finishing_threads})},
                                 {1},
                                 {finishing_threads},
                                 Arguments(static_cast<const double*>(results), blocks, args.result)}},
                  .memory = {partial}};
    });
  });
}

Plan plain(Backend& backend, const ReductionArgs& args, const Config& config) {
  return two_launches(backend, args, config, 1);
}
Plan vector(Backend& backend, const ReductionArgs& args, const Config& config) {
  return two_launches(backend, args, config, 16 / int(stored_bytes(args.precision)));
}

// Every product written down, in the precision of the arithmetic, and then summed.
Plan two_pass(Backend& backend, const ReductionArgs& args, const Config& config) {
  const Field products(backend, args.grid, arithmetic_of(args.precision));
  const int width = 16 / int(stored_bytes(args.precision));
  constexpr Extent threads = {64, 4};
  Plan plan = vector(backend, sum_of_products(args, products.view()), config);
  plan.memory.push_back(products.buffer());
  with_types(args.precision, [&]<class S, class C>() {
    plan.run.insert(plan.run.begin(),
                    Launch{{source, instance<S, C>("reduction_products", {width, threads.x, threads.y})},
                           blocks_over(args.grid, threads, {width, 1, 1}),
                           threads,
                           Arguments(args.x.as<const S>(), args.y.as<const S>(), products.view().as<C>())});
  });
  return plan;
}

cublasStatus_t dot(cublasHandle_t blas, Index n, const double* x, const double* y, double* result) {
  return cublasDdot_64(blas, n, x, 1, y, 1, result);
}
cublasStatus_t dot(cublasHandle_t blas, Index n, const float* x, const float* y, float* result) {
  return cublasSdot_64(blas, n, x, 1, y, 1, result);
}

// In fp32 the library leaves a float; it becomes the result when the step is stored.
HostCall widen(Backend& backend, const Buffer& value, double* result) {
  return {[&backend, value, result](const CudaQueue&) {
    float narrow = 0;
    backend.fence();
    backend.download(&narrow, value.data(), sizeof narrow);
    const double wide = narrow;
    backend.upload(result, &wide, sizeof wide);
  }};
}

// A dot product of dense copies, made when the step is loaded. A sum is one with ones: asum would add
// absolute values.
Plan library(Backend& backend, const ReductionArgs& args, const Config&) {
  const bool sum = args.operation == ReductionOperation::sum;
  const DenseField x(backend, args.grid, args.precision), y(backend, args.grid, args.precision);
  const Buffer value(backend, sizeof(float));
  if (sum) y.fill_with_ones(backend);
  return with_types(args.precision, [&]<class S, class C>() {
    S* result = std::is_same_v<S, float> ? static_cast<S*>(value.data()) : reinterpret_cast<S*>(args.result);
    auto call = [=, n = args.grid.cells()](const CudaQueue& queue) {
      check_blas(cublasSetPointerMode(queue.blas, CUBLAS_POINTER_MODE_DEVICE), "set the pointer mode");
      check_blas(dot(queue.blas, n, static_cast<const S*>(x.data()), static_cast<const S*>(y.data()), result),
                 "dot");
    };
    Plan plan{.run = {HostCall{call, true}},
              .load = {x.copy_from(args.x)},
              .memory = {x.buffer(), y.buffer(), value}};
    if (!sum) plan.load.push_back(y.copy_from(args.y));
    if (std::is_same_v<S, float>) plan.store.push_back(widen(backend, value, args.result));
    return plan;
  });
}

std::string library_cannot(const ReductionArgs& args) {
  if (args.operation == ReductionOperation::max_norm)
    return "cuBLAS finds where the largest value is, not the value";
  return args.precision == Precision::mixed
             ? "cuBLAS has no dot product of 32-bit values in 64-bit arithmetic"
             : "";
}

Cost library_cost(const ReductionArgs& args) {
  const double cells = double(args.grid.cells());
  return {2 * cells * stored_bytes(args.precision), 2 * cells, cells};
}

TuningSpace space() {
  TuningSpace space = reducing_block_space(
      {{"blocks", {256, 512, 1024, 2048, 4096}, 1024, "at most, that leave partial results"}});
  space.settings[0].fallback = 256;
  space.settings[1].fallback = 1;
  return space;
}

}  // namespace

Methods<ReductionArgs> reduction_cuda() {
  Methods<ReductionArgs> methods = {
      {"plain", space(), prepare_cuda<plain>},
      {"vector", space(), prepare_cuda<vector>},
      {"two_pass", space(), prepare_cuda<two_pass>, only_dot_has_two_passes, reduction_two_pass_cost},
      {.name = "cublas",
       .space = {},
       .prepare = prepare_cuda<library>,
       .unsupported = library_cannot,
       .cost = library_cost,
       .device_code = false}};
  const Methods<ReductionArgs> levels = reduction_levels_cuda();
  methods.insert(methods.end(), levels.begin(), levels.end());
  return methods;
}

}  // namespace cfdmark
