// Common parts of the files that call hypre. Included first, because it configures MPI's header.
#pragma once

#define OMPI_SKIP_MPICXX 1  // only the C interface is used

#include <HYPRE.h>
#include <HYPRE_config.h>
#include <HYPRE_utilities.h>
#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Returns the methods of hypre_amg.cpp.
std::vector<SolverMethod> boomeramg_methods();

// Initialises MPI for this process alone, without a daemon, and finalises it at exit.
inline void start_hypre() {
  static const bool started = [] {
    int already = 0;
    MPI_Initialized(&already);
    if (!already) {
      setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
      if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS) throw std::runtime_error("hypre: MPI_Init failed");
      std::atexit([] { MPI_Finalize(); });
    }
    HYPRE_Init();
    return true;
  }();
  (void)started;
}

// Throws std::runtime_error with hypre's message. Reaching max_iter is not an error, because the residual is
// checked outside.
inline void check(HYPRE_Int error, const char* doing) {
  if (HYPRE_CheckError(error, HYPRE_ERROR_CONV))
    HYPRE_ClearError(HYPRE_ERROR_CONV), error &= ~HYPRE_ERROR_CONV;
  if (error == 0) return;
  char text[256] = {};
  HYPRE_DescribeError(error, text);
  HYPRE_ClearAllErrors();
  throw std::runtime_error(std::string("hypre: ") + doing + ": " + text);
}

// Returns a handle that destroys its object.
template <class Handle, class Destroy>
std::shared_ptr<std::remove_pointer_t<Handle>> owned(Handle handle, Destroy destroy) {
  return {handle, [destroy](Handle h) { destroy(h); }};
}

}  // namespace cfdmark
