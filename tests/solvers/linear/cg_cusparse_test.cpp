// Tests of CG with cuSPARSE that need no GPU: its one device function. With a GPU solvers_test.cpp runs the
// method.
#include "solvers/linear/libraries/cg_cusparse.hpp"

#include <cmath>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_device.hpp"

#include "kernels/axpy/scalar_quotient.cu"

using namespace cfdmark;

TEST_CASE("CG's coefficients compile for two architectures, in both precisions", "[cuda]") {
  for (const char* architecture : {"sm_80", "sm_90"}) {
    CudaOffline offline;
    offline.prepare(Plan{.run = {quotient_launch<float>(nullptr, nullptr, nullptr),
                                 quotient_launch<double>(nullptr, nullptr, nullptr)}});
    CHECK(offline.compile(architecture).size() == 2);
  }
}

TEST_CASE("CG's coefficients are a quotient and its negative", "[cuda]") {
  const double a = 3, b = 8;
  double quotient[2] = {};
  scalar_quotient(&a, &b, quotient);
  CHECK(quotient[0] == 0.375);
  CHECK(quotient[1] == -0.375);
}

TEST_CASE("CG's coefficients are zero after exact convergence, and NaN stays NaN", "[cuda]") {
  const double zero = 0, one = 1, nan = std::nan("");
  double quotient[2] = {7, 7};
  scalar_quotient(&zero, &zero, quotient);
  CHECK(quotient[0] == 0);
  scalar_quotient(&one, &zero, quotient);  // p.q underflowed
  CHECK(quotient[0] == 0);
  scalar_quotient(&nan, &one, quotient);
  CHECK(std::isnan(quotient[0]));
}
