// sum and dot by OpenBLAS: library rows, to see what ours are worth.
//
// BLAS has no sum. Its asum is a sum of magnitudes, right only where nothing is negative; OpenBLAS's
// extension cblas_ssum takes fields with negative values wrongly in 0.3.21 on processors with AVX-512 (16
// values and more). So the sum is a dot product with ones, and pays for reading them.
//
// A dot product shared among threads adds their parts in order: seen to give the same bits again for the same
// number of threads. In fp32 it is accumulated in 32 bits over the whole vector, where ours is over a row.
#include "kernels/backends/openblas.hpp"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {
namespace {

double dot(blasint n, const float* x, const float* y) { return cblas_sdot(n, x, 1, y, 1); }
double dot(blasint n, const double* x, const double* y) { return cblas_ddot(n, x, 1, y, 1); }

std::string unsupported(const ReductionArgs& args) {
  if (args.operation == ReductionOperation::max_norm)
    return "BLAS finds the largest value with i?amax, which passes over NaN; a max-norm must not";
  return openblas_unsupported(args.precision, args.grid);
}

bool same_field(const ReductionArgs& args) {
  return args.operation == ReductionOperation::dot && args.x.origin == args.y.origin;
}

template <class T>
DenseVector<T> ones(Backend& backend, const AnyView& like) {
  DenseVector<T> vector(backend, like);
  std::fill_n(vector.data(), vector.size(), T(1));
  return vector;
}

template <class T>
Step prepare(Backend& backend, const ReductionArgs& args, const Config& config) {
  const bool sum = args.operation == ReductionOperation::sum;
  const DenseVector<T> x(backend, args.x);
  const DenseVector<T> y = sum                ? ones<T>(backend, args.x)
                           : same_field(args) ? x
                                              : DenseVector<T>(backend, args.y);
  Step step =
      openblas_step(config, [x, y, result = args.result] { *result = dot(x.size(), x.data(), y.data()); });
  step.load = [x, y, sum] {
    x.load();
    if (!sum) y.load();
  };
  return step;
}

// A dot product, of two fields unless they are one.
Cost cost(const ReductionArgs& args) {
  const double cells = double(args.grid.cells());
  return {(same_field(args) ? 1 : 2) * cells * stored_bytes(args.precision), 2 * cells, cells};
}

}  // namespace

Method<ReductionArgs> reduction_openblas() {
  return {.name = "openblas",
          .space = openmp_space(),
          .prepare =
              [](Backend& b, const ReductionArgs& a, const Config& c) {
                return a.precision == Precision::fp32 ? prepare<float>(b, a, c) : prepare<double>(b, a, c);
              },
          .unsupported = unsupported,
          .cost = cost};
}

}  // namespace cfdmark
