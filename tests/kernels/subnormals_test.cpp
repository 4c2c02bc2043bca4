// Subnormal numbers count as zero on a host, on every backend and thread.
#include "kernels/device/subnormals.hpp"

#include <atomic>

#include "kernels/cells/methods/cells.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/device/cpu/openmp.hpp"
#include "kernels/device/field.hpp"
#include "kernels/scale/scale.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Returns 1e-40, subnormal in fp32, times 1e20: 1e-20 if subnormals are kept.
float through_a_subnormal() {
  volatile float value = 1e-30f;
  value = value * 1e-10f;
  return value * 1e20f;
}

}  // namespace

TEST_CASE("a result that would be subnormal is zero on each thread of openmp", "[subnormals]") {
  if (const std::string reason = openmp_unavailable(); !reason.empty()) {
    WARN("skipped: " << reason);
    return;
  }
  backend(BackendKind::openmp);
  CHECK(through_a_subnormal() == 0);
  std::atomic<int> threads = 0, kept = 0;
#pragma omp parallel
  {
    ++threads;
    if (through_a_subnormal() != 0) ++kept;
  }
  CHECK(threads == openmp_max_threads());
  CHECK(kept == 0);
}

TEST_CASE("no method of any backend gives subnormal results in fp32", "[subnormals]") {
  int backends = 0;
  for (const BackendKind kind : all_backends) {
    if (!unavailable_reason(kind).empty()) continue;
    Backend& on = backend(kind);
    if (!on.host_accessible()) continue;
    const Grid grid{37, 5};
    HostField small(grid, Precision::fp32);
    for_each_cell(grid, false, [&](int i, int j, int k) { small.set(i, j, k, 1e-30); });
    Field x(on, grid, Precision::fp32), y(on, grid, Precision::fp32);
    x.upload(small);
    const auto methods = CellKernel<Scale>::methods(kind);
    CHECK_FALSE(methods.empty());
    for (const auto& method : methods) {
      INFO(to_string(kind) << " " << method.name);
      y.upload(small);
      method.prepare(on, {Precision::fp32, {.alpha = {1e-10}}, {x.view(), y.view()}}, method.space.defaults())
          .run();
      double most = 0;
      const HostField left = y.download();
      for_each_cell(grid, false, [&](int i, int j, int k) { most = std::max(most, left.get(i, j, k)); });
      CHECK(most == 0);
    }
    ++backends;
  }
  CHECK(backends >= 1);  // serial always runs
}
