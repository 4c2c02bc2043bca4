// A fast Poisson solver: in a basis of waves that fit between the sides, each the product of one along x, y
// and z, a constant operator is diagonal, so that a transform, a division and a transform back solve the
// system (Hockney 1965, J. ACM 12, 95; Swarztrauber 1977, SIAM Review 19, 490). What its methods share; the
// transforms are a library's.
#pragma once

#include "solvers/linear/method.hpp"

namespace cfdmark {

// Of a constant operator over a grid between such ends: the product of wave l along x, m along y and n along
// z has the eigenvalue x[l] + y[m] + z[n]. Of periodic axes wave l and wave n - l have one eigenvalue.
struct Eigenvalues {
  std::vector<double> x, y, z;
};
Eigenvalues eigenvalues(const Operator&, const Grid&, const AxisEnds&);
// What is left to divide by after a transform and one back: 2 (n + 1), 2 n or n of each axis.
double transform_factor(const Grid&, const AxisEnds&);
// Of a transform of all cells, each direction's as libraries count it: 2.5 N log2(N) operations for N real
// values, of which a sine transform has 2 (n + 1) and one of cosines 2 n, half of them known. Memory: each
// cell is read and written once.
Cost transform_cost(const Grid&, const AxisEnds&, Precision storage);

// A system to be solved: on `system` its backend, precision and clock, and a constant operator. `from` and
// `to`, fields of one shape, may be one. Where no end is zero and the operator's rows sum to 0 the equations
// leave a constant open: the mean of what they are given is left out, and that of the answer is 0.
struct DirectTask {
  System system;
  AxisEnds ends = zero_ends;
  AnyView from, to;
  Config config = {};
};

// A library of transforms on a backend.
struct DirectLibrary {
  std::string name;
  TuningSpace space;
  // Operations after which the cells of `to` hold A^-1 of those of `from`.
  std::function<std::vector<Operation>(const DirectTask&)> solve;
  std::string missing = {};  // not empty: why it can do nothing
  SourcePlace described_at = SourcePlace::here();
};
// One each, or none on other backends.
std::vector<DirectLibrary> fftw_library(BackendKind);   // serial and openmp
std::vector<DirectLibrary> cufft_library(BackendKind);  // cuda
std::vector<DirectLibrary> direct_libraries(BackendKind);
std::string fftw_library_version();   // "3.3.10-sse2-avx"; empty if built without
std::string cufft_library_version();  // "12.0.0"; likewise

// An iteration of the method solves for what its residual says, with zeros around it, and adds it: one is
// enough, but for rounding.
SolverMethod direct_method(const DirectLibrary&);

}  // namespace cfdmark
