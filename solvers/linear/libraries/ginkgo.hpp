// Ginkgo's solvers (ginkgo.cpp), if Ginkgo was found at build time.
#pragma once

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Returns the methods on openmp, on serial (Ginkgo's OpenMP executor with one thread) and on cuda.
std::vector<SolverMethod> ginkgo_methods(BackendKind);
std::string ginkgo_version();  // such as "1.12.0"; empty in a build without Ginkgo

inline SolverDescription ginkgo_solver() {
  return {.name = "ginkgo",
          .methods = ginkgo_methods,
          .boundaries = {BoundaryKind::dirichlet},
          .needs_symmetry = true};
}

}  // namespace cfdmark
