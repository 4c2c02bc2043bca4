// A red-black sweep of a linear system, whatever lies around it.
#pragma once

#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/linear/operations.hpp"

namespace cfdmark {

// By a method of one sweep at a time. Between periodic sides a colour at a time, each with u's ghosts filled
// before.
Operation red_black_sweep(const System&, const char* routine, const Method<CellArgs<RedBlackSor>>&,
                          const CellArgs<RedBlackSor>&, const Config&);

}  // namespace cfdmark
