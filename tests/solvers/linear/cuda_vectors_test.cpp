// cuBLAS calls and copies as parts of a plan: tests that need no GPU.
#include "solvers/linear/libraries/cuda_vectors.hpp"

#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("CG's cuBLAS calls start cuBLAS themselves", "[cuda]") {
  CHECK(dot_call<double>(1, nullptr, nullptr, nullptr).uses_blas);
  CHECK(axpy_call<float>(1, nullptr, nullptr, nullptr).uses_blas);
  CHECK(scale_call<double>(1, nullptr, nullptr).uses_blas);
}

// CUDA refuses a pitch that is smaller than a row.
TEST_CASE("a dense copy of a flat field is one row, however long, and one of a box skips its padding",
          "[cuda]") {
  char memory = 0, dense = 0;
  const AnyView flat(&memory, flat_grid(2500), Precision::fp64);
  const cudaMemcpy3DParms one_row = dense_copy(flat, &dense, true);
  CHECK(one_row.srcPtr.ptr == &memory);
  CHECK(one_row.dstPtr.ptr == &dense);
  CHECK(one_row.srcPtr.pitch == 2500 * 8);
  CHECK(one_row.extent.width == 2500 * 8);
  CHECK(one_row.extent.height == 1);
  CHECK(one_row.extent.depth == 1);
  const AnyView box(&memory, {30, 4, 3}, Precision::fp32);
  const cudaMemcpy3DParms back = dense_copy(box, &dense, false);
  CHECK(back.srcPtr.ptr == &dense);
  CHECK(back.srcPtr.pitch == 30 * 4);
  CHECK(back.dstPtr.pitch == 32 * 4);
  CHECK(back.dstPtr.ysize == 6);
  CHECK(back.extent.width == 30 * 4);
  CHECK(back.extent.height == 4);
  CHECK(back.extent.depth == 3);
}
