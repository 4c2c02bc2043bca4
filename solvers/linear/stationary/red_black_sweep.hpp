// A red-black pass over a linear system with any boundary conditions, on any ranks.
#pragma once

#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

// Prepares a pass by a method of one pass per run. With periodic sides, and on ranks, each colour is a
// separate launch, preceded by what fills u's ghosts.
Operation red_black_sweep(const System&, const char* routine, const Method<CellArgs<RedBlackSor>>&,
                          const CellArgs<RedBlackSor>&, const Config&);

}  // namespace cfdmark
