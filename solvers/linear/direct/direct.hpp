// Fast Poisson solvers. Products of waves that satisfy the boundary conditions along x, y and z diagonalise a
// constant operator. A transform, a division by the eigenvalues and the inverse transform then solve the
// system (Hockney 1965, J. ACM 12, 95; Swarztrauber 1977, SIAM Review 19, 490). Libraries compute the
// transforms.
#pragma once

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Eigenvalues of a constant operator on a grid with given axis ends: x[l] + y[m] + z[n] for the product of
// wave l along x, m along y and n along z. On a periodic axis waves l and n - l share one eigenvalue.
struct Eigenvalues {
  std::vector<double> x, y, z;
};
Eigenvalues eigenvalues(const Operator&, const Grid&, const AxisEnds&);
// Returns the factor by which a transform and its inverse scale the values: the product over the axes of 2 (n
// + 1) for zero ends, 2 n for closed ends and n for periodic ends.
double transform_factor(const Grid&, const AxisEnds&);
// Returns the declared cost of transforming all cells along every axis. Operations: 2.5 log2(N) per cell and
// axis. FFT libraries count 2.5 N log2(N) for N real values; by symmetry a sine transform (N = 2 (n + 1)) and
// a cosine transform (N = 2 n) need half of that. Memory: each cell is read and written once.
Cost transform_cost(const Grid&, const AxisEnds&, Precision storage);

// One system to solve. `system` gives the backend, the precision, the clock and a constant operator. `from`
// and `to` have the same shape and may be the same field. If no end is zero and the operator's rows sum to 0,
// the system is singular: the mean of `from` is ignored and that of the answer is 0.
struct DirectTask {
  System system;
  AxisEnds ends = zero_ends;
  AnyView from, to;
  Config config = {};
};

// A transform library on a backend.
struct DirectLibrary {
  std::string name;
  TuningSpace space;
  // Returns operations that set the interior of `to` to A^-1 `from`.
  std::function<std::vector<Operation>(const DirectTask&)> solve;
  std::string missing = {};  // reason why it is unavailable; empty if it is available
  SourcePlace described_at = SourcePlace::here();
};
// Each returns one library, or none on other backends.
std::vector<DirectLibrary> fftw_library(BackendKind);   // serial and openmp
std::vector<DirectLibrary> cufft_library(BackendKind);  // cuda
std::vector<DirectLibrary> direct_libraries(BackendKind);
std::string fftw_library_version();   // such as "3.3.10-sse2-avx"; empty in a build without FFTW
std::string cufft_library_version();  // such as "12.0.0"; empty in a build without cuFFT

// Returns the solver method. One iteration solves for the current residual with zero boundary values and adds
// the result; apart from rounding one iteration suffices.
SolverMethod direct_method(const DirectLibrary&);

}  // namespace cfdmark
