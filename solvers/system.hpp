// A linear problem in a backend's memory, stored in one precision.
#pragma once

#include <vector>

#include "kernels/backends/operator_problem.hpp"
#include "solvers/problem.hpp"

namespace cfdmark {

// Values of `from`, rounded to `storage`.
inline HostField converted(const HostField& from, Precision storage) {
  if (from.storage() == storage_of(storage)) return from;
  HostField to(from.grid(), storage);
  for_each_cell_in_parallel(from.grid(), true,
                            [&](int i, int j, int k) { to.set(i, j, k, from.get(i, j, k)); });
  return to;
}

struct System {
  Backend* backend = nullptr;
  Precision precision = Precision::fp64;  // of the kernels: fp32 or fp64
  Grid grid;
  Operator a;
  std::vector<Field> coefficients;
  Field b, u;

  // b and the coefficients are uploaded; u is left at zero.
  System(Backend& on, Precision p, const LinearProblem& problem)
      : backend(&on), precision(p), grid(problem.grid), b(on, problem.grid, p), u(on, problem.grid, p) {
    b.upload(converted(problem.b, p));
    std::vector<AnyView> views;
    for (const HostField& c : problem.coefficients) {
      coefficients.emplace_back(on, grid, p);
      coefficients.back().upload(converted(c, p));
      views.push_back(coefficients.back().view());
    }
    a = views.empty() ? problem.constant : operator_over(views, 0, grid);
  }

  Field new_field() const { return Field(*backend, grid, precision); }
};

}  // namespace cfdmark
