// A fast Poisson solver: in the basis of sin(pi l x) sin(pi m y) .., which vanish on the sides, a constant
// operator is diagonal, so that a transform, a division and a transform back solve the system (Hockney 1965,
// J. ACM 12, 95; Swarztrauber 1977, SIAM Review 19, 490). What its methods share; the transforms are a
// library's.
#pragma once

#include "solvers/linear/method.hpp"

namespace cfdmark {

// Of a constant operator over a grid with zero around it: sin(pi (l + 1) (i + 1) / (nx + 1)) sin(..) sin(..)
// has the eigenvalue x[l] + y[m] + z[n].
struct SineEigenvalues {
  std::vector<double> x, y, z;
};
SineEigenvalues sine_eigenvalues(const Operator&, const Grid&);
// What is left to divide by after a transform and one back: each direction's, with the usual factor of 2,
// multiplies by 2 (n + 1).
double sine_transform_factor(const Grid&);
// Of a transform of all cells, each direction's as libraries count it: 2.5 n log2(n) operations for n real
// values, of which a sine transform has 2 (n + 1), half of them known. Memory: each cell is read and written
// once.
Cost sine_transform_cost(const Grid&, Precision storage);

// Operations after which a system's field r, with zero around it, holds A^-1 r.
using SineSolve = std::function<std::vector<Operation>(const System&, const AnyView& r, const Config&)>;

// An iteration of the method solves for what its residual says and adds it: one is enough, but for rounding.
SolverMethod direct_method(std::string name, TuningSpace, SineSolve, SourcePlace = SourcePlace::here());

// One each, or none on other backends. Where the library was not there when the program was built, the method
// says so.
std::vector<SolverMethod> fftw_direct(BackendKind);   // serial and openmp
std::vector<SolverMethod> cufft_direct(BackendKind);  // cuda
std::string fftw_library_version();                   // "3.3.10-sse2-avx"; empty if built without
std::string cufft_library_version();                  // "12.0.0"; likewise

}  // namespace cfdmark
