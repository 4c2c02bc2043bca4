// sum and dot by OpenBLAS, as a reference for our own methods.
//
// BLAS has no sum: asum adds magnitudes, and OpenBLAS's extension cblas_ssum is wrong for negative values in
// some versions. So the sum is a dot product with ones, and reads them too.
//
// A threaded dot product combines the threads' results in order, with the same bits for the same number of
// threads. In fp32 it accumulates in 32 bits over the whole vector, our methods only over a row.
#include "kernels/device/library/openblas.hpp"
#include "kernels/reduction/reduction_methods.hpp"

namespace cfdmark {
namespace {

double dot(blasint n, const float* x, const float* y) { return cblas_sdot(n, x, 1, y, 1); }
double dot(blasint n, const double* x, const double* y) { return cblas_ddot(n, x, 1, y, 1); }

template <class K>
std::string unsupported(const CellArgs<K>& args) {
  if (std::is_same_v<K, MaxNorm>) return "BLAS's i?amax ignores NaN, which a max-norm must not";
  return openblas_unsupported(args.precision, args.grid());
}

template <class T>
DenseVector<T> ones(Backend& backend, const AnyView& like) {
  DenseVector<T> vector(backend, like);
  std::fill_n(vector.data(), vector.size(), T(1));
  return vector;
}

template <class T, class K>
Step prepare(Backend& backend, const CellArgs<K>& args, const Config& config) {
  constexpr bool sum = std::is_same_v<K, Sum>;
  const DenseVector<T> x(backend, args.fields.x);
  const DenseVector<T> y = sum                 ? ones<T>(backend, args.fields.x)
                           : with_itself(args) ? x
                                               : DenseVector<T>(backend, second_field(args));
  Step step =
      openblas_step(config, [x, y, result = args.result] { *result = dot(x.size(), x.data(), y.data()); });
  step.load = [x, y] {
    x.load();
    if (!sum) y.load();
  };
  return step;
}

}  // namespace

template <class K>
Method<CellArgs<K>> reduction_openblas() {
  return {.name = "openblas",
          .space = openmp_space(),
          .prepare =
              [](Backend& b, const CellArgs<K>& a, const Config& c) {
                return a.precision == Precision::fp32 ? prepare<float>(b, a, c) : prepare<double>(b, a, c);
              },
          .unsupported = unsupported<K>,
          .cost = library_cost<K>};
}
template Method<CellArgs<Sum>> reduction_openblas();
template Method<CellArgs<Dot>> reduction_openblas();
template Method<CellArgs<MaxNorm>> reduction_openblas();

}  // namespace cfdmark
