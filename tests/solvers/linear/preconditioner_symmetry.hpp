// Test of the symmetry that conjugate gradients require of a preconditioner.
#pragma once

#include "solvers/linear/krylov/preconditioner.hpp"
#include "tests/catch.hpp"

namespace cfdmark {

// Checks that x . M y equals y . M x up to rounding. r and z of M are b and u of the system.
inline void check_symmetry(const Preconditioner& m, const OwnedSystem& system, const HostField& x,
                           const HostField& y) {
  const auto applied = [&](const HostField& r) {
    Field(system.b()).upload(r);
    m();
    return system.u().download();
  };
  const HostField mx = applied(x), my = applied(y);
  double xmy = 0, ymx = 0;
  for_each_cell(x.grid(), false, [&](int i, int j, int k) {
    xmy += x.get(i, j, k) * my.get(i, j, k), ymx += y.get(i, j, k) * mx.get(i, j, k);
  });
  CHECK(xmy == Approx(ymx).epsilon(1e-12));
}

}  // namespace cfdmark
