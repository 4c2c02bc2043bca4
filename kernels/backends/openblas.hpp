// What the OpenBLAS methods share: its threads, and fields as the vectors that it takes.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "kernels/backends/backend.hpp"
#include "kernels/backends/cpu_rows.hpp"
#include "kernels/core/operator.hpp"

namespace cfdmark {

// OpenBLAS's number of threads is global: set while a step runs, and put back. Two hundredths of a
// microsecond.
class OpenBlasThreads {
 public:
  explicit OpenBlasThreads(int threads) : before_(openblas_get_num_threads()) {
    openblas_set_num_threads(threads);
  }
  ~OpenBlasThreads() { openblas_set_num_threads(before_); }
  OpenBlasThreads(const OpenBlasThreads&) = delete;
  OpenBlasThreads& operator=(const OpenBlasThreads&) = delete;

 private:
  int before_;
};

// The interior of a field without ghosts and padding, copied outside the clock. The routines of BLAS run over
// one vector, and OpenBLAS shares a call among threads only when it is long (10,000 values): called row by
// row it would work on one thread, and with a call's overhead for each row.
template <class T>
class DenseVector {
 public:
  DenseVector(Backend& backend, const AnyView& field)
      : field_(field.as<T>()), values_(backend, std::size_t(field.grid.cells()) * sizeof(T)) {}

  blasint size() const { return blasint(field_.nx) * field_.ny * field_.nz; }
  T* data() const { return static_cast<T*>(values_.data()); }
  void load() const {
    for_each_row([](T* field, T* vector, int nx) { std::copy_n(field, nx, vector); });
  }
  void store() const {
    for_each_row([](T* field, T* vector, int nx) { std::copy_n(vector, nx, field); });
  }

 private:
  template <class Copy>
  void for_each_row(const Copy& copy) const {
    const Grid g{field_.nx, field_.ny, field_.nz};
    OpenMPRows{openmp_max_threads()}(rows_of(g), [&](Index row) {
      const RowIndex at(g);
      copy(field_.row(at.j(row), at.k(row)), data() + row * g.nx, g.nx);
    });
  }

  View<T> field_;
  Buffer values_;
};

// Why OpenBLAS cannot work on fields of a grid in a precision; empty if it can.
inline std::string openblas_unsupported(Precision p, const Grid& grid) {
  if (p == Precision::mixed) return "BLAS computes in the precision that it stores: fp32 or fp64";
  if (grid.cells() > std::numeric_limits<blasint>::max())
    return "the vector is longer than this OpenBLAS can count";
  return "";
}

// A step with OpenBLAS's threads set around it, and noted as OpenBLAS takes them (one built without threads
// has one).
template <class Run>
Step openblas_step(const Config& config, Run run) {
  Step step;
  const int threads = config.whole("threads");
  step.run = [threads, run = std::move(run)] {
    const OpenBlasThreads use(threads);
    run();
  };
  const OpenBlasThreads use(threads);
  step.resources.threads = openblas_get_num_threads();
  return step;
}

}  // namespace cfdmark
