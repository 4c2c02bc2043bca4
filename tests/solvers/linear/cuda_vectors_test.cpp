// cuBLAS calls as parts of a plan: tests that need no GPU.
#include "solvers/linear/libraries/cuda_vectors.hpp"

#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("CG's cuBLAS calls start cuBLAS themselves", "[cuda]") {
  CHECK(dot_call<double>(1, nullptr, nullptr, nullptr).uses_blas);
  CHECK(axpy_call<float>(1, nullptr, nullptr, nullptr).uses_blas);
  CHECK(scale_call<double>(1, nullptr, nullptr).uses_blas);
}
