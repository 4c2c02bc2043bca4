// One red-black SOR sweep: the red cells (i + j + k even) are over-relaxed from the black ones, then the
// black from the red. omega = 1 is red-black Gauss-Seidel (Normore 2010, algorithm 5.1).
#pragma once

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

// Which colours a step updates, in turn. red_black_red is symmetric from a zero start: a preconditioner.
enum class ColourOrder { red_black, red_black_red };

inline std::vector<int> colours_of(ColourOrder order) {
  return order == ColourOrder::red_black ? std::vector<int>{0, 1} : std::vector<int>{0, 1, 0};
}

struct RedBlackArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  Operator a;
  double omega = 1;
  ColourOrder order = ColourOrder::red_black;
  AnyView u, b;  // u is updated in place
};

// In the natural layout each half sweep drags every line of u and b (and of the coefficients): the declared
// bytes are u read and written and the rest read, twice. With the colours in separate arrays each value of
// b and of the coefficients is read once, and u once and a half, its own colour written. Fused: both colours
// in one pass over the natural layout, everything read once and u written once; only for red_black.
Cost red_black_natural_cost(const RedBlackArgs&);
Cost red_black_split_cost(const RedBlackArgs&);
Cost red_black_fused_cost(const RedBlackArgs&);
Methods<RedBlackArgs> red_black_methods(BackendKind);
KernelDescription<RedBlackArgs> red_black_sor_kernel();
KernelDescription<RedBlackArgs> red_black_sor_coefficients_kernel();

Methods<RedBlackArgs> red_black_serial();
Methods<RedBlackArgs> red_black_openmp();
Methods<RedBlackArgs> red_black_kokkos();
Methods<RedBlackArgs> red_black_cuda();

}  // namespace cfdmark
