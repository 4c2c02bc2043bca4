// A block solver, its methods on a backend, and the system that they solve.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/base/iteration.hpp"
#include "solvers/base/recording.hpp"
#include "solvers/block/block_problem.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

// A system in a backend's memory. In mixed precision the matrices and the relaxation are stored in 32 bits
// and computed in 64; b, x and the residual use 64 bits.
struct BlockSystem {
  BlockSystem(Backend&, Precision, const Grid&, BlockSweep residual, RoutineClock* = nullptr);

  Precision outer() const { return arithmetic_of(precision); }  // of b and x
  Field vectors(Precision) const;  // a field of zeros with five components per point
  // Returns b and x as a linear system, for vector operations.
  System as_linear() const {
    return {.backend = &backend, .precision = outer(), .a = {}, .b = b.view(), .u = x.view(), .clock = clock};
  }

  Backend& backend;
  Precision precision;
  Grid grid;
  BlockSweep residual;  // the residual to be reduced
  RoutineClock* clock;
  Field matrices;  // in the host's order
  Field b, x;
};

// One relaxation of a block solver.
struct BlockMethod {
  std::string name;
  TuningSpace space;
  // Returns an iteration on a system, with memory allocated and code compiled. The config must be complete
  // and valid.
  std::function<std::unique_ptr<Iteration>(BlockSystem&, const Config&)> prepare;
  std::function<bool(const Grid&, Precision)> preferred = nullptr;  // Method::preferred
  SourcePlace described_at = SourcePlace::here();
};

struct BlockSolverDescription {
  std::string name;
  std::vector<BlockMethod> (*methods)(BackendKind);
};

BlockSolverDescription block_jacobi_solver();
BlockSolverDescription block_ssor_solver();
BlockSolverDescription block_revised_ssor_solver();
BlockSolverDescription block_red_black_solver();

}  // namespace cfdmark
