#include "kernels/device/cuda/runtime/convergence_loop.hpp"

#include <cmath>
#include <limits>

#include "kernels/device/field.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Iterations that each halve a norm, whose square is in host memory.
struct Halving {
  Backend& host = backend(BackendKind::serial);
  DeviceScalar square{host};
  std::vector<int> chunks;

  DeviceConvergenceLoop::Counts run(const DeviceConvergenceLoop& loop, double norm) {
    square.set(norm * norm);
    loop(
        [&](int iterations) {
          chunks.push_back(iterations);
          square.set(square.get() * std::pow(0.25, iterations));
        },
        [] {});
    return loop.counts();
  }
};

}  // namespace

TEST_CASE("a loop tests after each chunk and ends once its norm has fallen far enough", "[kernels]") {
  Halving h;
  const DeviceConvergenceLoop loop(h.host, h.square.data(), 0.1, 2, 10);
  const auto counts = h.run(loop, 3);  // 1/16 after four iterations
  CHECK(h.chunks == std::vector{2, 2});
  CHECK(counts.loops == 1);
  CHECK(counts.iterations == 4);
  CHECK(counts.looks == 3);  // including the initial one
}

TEST_CASE("a loop that does not converge performs the maximum of iterations, with a shorter last chunk",
          "[kernels]") {
  Halving h;
  DeviceConvergenceLoop loop(h.host, h.square.data(), 1e-30, 4, 10);
  auto counts = h.run(loop, 1);
  CHECK(h.chunks == std::vector{4, 4, 2});
  CHECK(counts.iterations == 10);
  CHECK(counts.looks == 4);
  counts = h.run(loop, 5);  // both loops
  CHECK(counts.loops == 2);
  CHECK(counts.iterations == 20);
  loop.reset();
  CHECK(loop.counts().loops == 0);
  CHECK(loop.counts().iterations == 0);
}

TEST_CASE("a loop with a maximum below its chunk performs the maximum", "[kernels]") {
  Halving h;
  h.run(DeviceConvergenceLoop(h.host, h.square.data(), 1e-30, 20, 3), 1);
  CHECK(h.chunks == std::vector{3});
}

TEST_CASE("a loop with a zero or NaN norm ends at once", "[kernels]") {
  Halving h;
  const DeviceConvergenceLoop loop(h.host, h.square.data(), 0.1, 2, 10);
  CHECK(h.run(loop, 0).iterations == 0);
  CHECK(h.run(loop, std::numeric_limits<double>::quiet_NaN()).iterations == 0);
  CHECK(h.chunks.empty());
}
