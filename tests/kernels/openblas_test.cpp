// Properties of the OpenBLAS methods besides correct results.
#include "bench/case/case.hpp"
#include "bench/catalog/catalog.hpp"
#include "kernels/axpy/axpy.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/cpu/openmp.hpp"
#include "kernels/reduction/reduction.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const Grid grid{257, 190};  // long enough for OpenBLAS to use several threads

struct OpenBlasDot {
  Field x{openmp_backend(), grid, Precision::fp64}, y{openmp_backend(), grid, Precision::fp64};
  DeviceScalar result{openmp_backend()};
  Step step;

  explicit OpenBlasDot(int threads) {
    x.upload(noise_field(grid, Precision::fp64, 1));
    y.upload(noise_field(grid, Precision::fp64, 2));
    const CellArgs<Dot> args{.fields = {x.view(), y.view()}, .result = result.data()};
    const auto methods = CellKernel<Dot>::methods(BackendKind::openmp);
    step = find_method(methods, "openblas").prepare(openmp_backend(), args, {{"threads", threads}});
    step.load();
  }
  double operator()() {
    step.run();
    return result.get();
  }
};

bool can_run() {
  if (built_with_openblas && unavailable_reason(BackendKind::openmp).empty()) return true;
  WARN("skipped: built without OpenBLAS or OpenMP");
  return false;
}

}  // namespace

TEST_CASE("a dot product of OpenBLAS gives the same bits again, whatever ran in between", "[openblas]") {
  if (!can_run()) return;
  OpenBlasDot on_two(2), on_one(1);
  const double first = on_two(), alone = on_one();
  for (int n = 0; n < 50; ++n) {
    REQUIRE(on_two() == first);
    REQUIRE(on_one() == alone);
  }
  REQUIRE(first == Approx(alone).epsilon(1e-13));
}

TEST_CASE("OpenBLAS's rows give a reason for unsupported cases", "[openblas]") {
  if (!can_run()) return;
  auto reason = [](const std::string& name, Precision p) {
    for (const Row& row : catalog())
      if (row.name == name && row.precision == p && row.method == "openblas") return row.unavailable;
    return std::string("no such row");
  };
  for (const char* name : {"axpy", "sum", "dot"}) {
    CHECK(reason(name, Precision::fp32) == "");
    CHECK(reason(name, Precision::fp64) == "");
    CHECK_THAT(reason(name, Precision::mixed), ContainsSubstring("fp32 or fp64"));
  }
  CHECK_THAT(reason("max_norm", Precision::fp64), ContainsSubstring("NaN"));
}

TEST_CASE("OpenBLAS's axpy refuses args that its routine does not support", "[openblas]") {
  if (!can_run()) return;
  const auto methods = CellKernel<Axpy>::methods(BackendKind::openmp);
  const auto& method = find_method(methods, "openblas");
  auto args = args_without_values<Axpy>(Precision::fp64, grid, true, {.alpha = {1}, .beta = {1}});
  CHECK(method.unsupported(args) == "");
  args.kernel.beta = {0};
  CHECK_THAT(method.unsupported(args), ContainsSubstring("beta = 1"));
  args.kernel.beta = {1};
  args.fields.x.storage = Precision::fp32;
  CHECK_THAT(method.unsupported(args), ContainsSubstring("x and y stored and computed in one precision"));
}
