// Ginkgo's solvers, where they were there when the program was built (ginkgo.cpp).
#pragma once

#include "solvers/linear/method.hpp"

namespace cfdmark {

// On openmp, on serial as one thread of it, and on cuda.
std::vector<SolverMethod> ginkgo_methods(BackendKind);
std::string ginkgo_version();  // "1.12.0"; empty if built without

inline SolverDescription ginkgo_solver() {
  return {.name = "ginkgo",
          .methods = ginkgo_methods,
          .boundaries = {BoundaryKind::dirichlet},
          .needs_symmetry = true};
}

}  // namespace cfdmark
