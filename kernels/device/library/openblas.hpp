// Shared parts of the OpenBLAS methods: thread count, and fields as dense vectors.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "kernels/core/operator.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"

namespace cfdmark {

// Sets OpenBLAS's thread count, which is global, and restores it at the end of the scope.
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

// The interior of a field without ghosts and padding, copied outside the timed region. BLAS routines take one
// vector, and OpenBLAS uses several threads only from 10,000 values on: calls per row would run on one thread
// with the overhead of a call each.
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
    HostRows::shared_by(openmp_max_threads())(rows_of(g), [&](Index row) {
      const RowIndex at(g);
      copy(field_.row(at.j(row), at.k(row)), data() + row * g.nx, g.nx);
    });
  }

  View<T> field_;
  Buffer values_;
};

// Returns why OpenBLAS cannot process fields of a grid in a precision; empty if it can.
inline std::string openblas_unsupported(Precision p, const Grid& grid) {
  if (p == Precision::mixed) return "BLAS stores and computes in one precision: use fp32 or fp64";
  if (grid.cells() > std::numeric_limits<blasint>::max())
    return "the vector is longer than the index type of this OpenBLAS";
  return "";
}

// Returns a step that runs with OpenBLAS's thread count set, and records the count in effect: builds without
// threads have one.
template <class Run>
Step openblas_step(const Config& config, Run run) {
  Step step;
  const int threads = config.integer("threads");
  step.run = [threads, run = std::move(run)] {
    const OpenBlasThreads use(threads);
    run();
  };
  const OpenBlasThreads use(threads);
  step.resources.threads = openblas_get_num_threads();
  return step;
}

}  // namespace cfdmark
