// Fields that cases share on a device, and comparisons on the device instead of the host.
#include <cmath>
#include <cstring>

#include "bench/catalog/kernel_workload.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/cuda/primitives/same_bits.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"

using namespace cfdmark;

namespace {

// Returns the next floating-point value.
double next_to(double value, Precision p) {
  return p == Precision::fp32 ? std::nextafter(float(value), 10.0f) : std::nextafter(value, 10.0);
}

using Args = CellArgs<RedBlackSor>;

const Method<Args>& plain_sweep() {
  static const auto methods = CellKernel<RedBlackSor>::methods(BackendKind::cuda);
  return methods.front();
}

// An iteration that gives a wrong u and corrupts the right-hand side for later cases.
Step spoiling_sweep(Backend& on, const Args& args, const Config& config) {
  Step step = plain_sweep().prepare(on, args, config);
  step.run = [&on, run = step.run, u = args.fields.u.origin, b = args.fields.b.origin] {
    run();
    const double spoiled = 7;
    on.upload(u, &spoiled, sizeof spoiled);
    on.upload(b, &spoiled, sizeof spoiled);
  };
  return step;
}

// An iteration that gives the right u and corrupts the right-hand side for later cases.
Step quietly_spoiling_sweep(Backend& on, const Args& args, const Config& config) {
  Step step = plain_sweep().prepare(on, args, config);
  step.run = [&on, run = step.run, b = args.fields.b.origin] {
    run();
    const double spoiled = 7;
    on.upload(b, &spoiled, sizeof spoiled);
  };
  return step;
}

}  // namespace

TEST_CASE("a differing bit is found on a device in every cell and ghost, and nowhere else", "[cuda]") {
  EmulatedCuda device;
  for (const Grid& g : {Grid{5, 3}, Grid{33, 2}, Grid{3, 2, 2}, Grid{3, 2, 2}.with_halo(2)})
    for (Precision p : {Precision::fp32, Precision::fp64}) {
      HostField values = noise_field(g, p, 1);
      Field a(device, g, p), b(device, g, p);
      a.upload(values);
      b.upload(values);
      const SameBits same(device, a, b);
      REQUIRE(same());
      for_each_cell(g, true, [&](int i, int j, int k) {
        const double before = values.get(i, j, k);
        values.set(i, j, k, next_to(before, p));
        b.upload(values);
        INFO(i << " " << j << " " << k);
        CHECK_FALSE(same());
        values.set(i, j, k, before);
      });
      std::memset(values.data(), 0xff, stored_bytes(p));  // before the first row
      b.upload(values);
      CHECK(same());
    }
}

TEST_CASE("a step that corrupts shared fields fails, and the next case finds them restored", "[cuda]") {
  EmulatedCuda device;
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const ProblemShape shape{Precision::fp64, {21, 14}};
  const auto problem = std::make_shared<const KernelProblem>(problem_of(kernel, shape));
  const auto fields = std::make_shared<KernelFields>(device, shape.precision, problem);
  Method<Args> spoiling = plain_sweep();
  spoiling.name = "spoiling", spoiling.prepare = spoiling_sweep;
  const auto verified = [&](const Method<Args>& method) {
    return KernelWorkload<Args>(kernel, method, device, shape, method.space.defaults(), fields).verify();
  };
  for (int times = 0; times < 2; ++times) {  // the first run of a method is also compared on the host
    CHECK(verified(plain_sweep()).passed);
    const Verification wrong = verified(spoiling);
    CHECK_FALSE(wrong.passed);
    CHECK_THAT(wrong.reason, ContainsSubstring("cell (0, 0, 0) is 7 where "));
  }
  CHECK(verified(plain_sweep()).passed);
  CHECK(fields->bytes_of_copies() == fields->bytes());  // u and b as they start, and the expected u
}

TEST_CASE("a case whose input was corrupted by an earlier one is repeated and passes", "[cuda]") {
  EmulatedCuda device;
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const ProblemShape shape{Precision::fp64, {21, 14}};
  const auto fields = std::make_shared<KernelFields>(
      device, shape.precision, std::make_shared<const KernelProblem>(problem_of(kernel, shape)));
  Method<Args> spoiling = plain_sweep();
  spoiling.prepare = quietly_spoiling_sweep;
  const Config config = spoiling.space.defaults();
  KernelWorkload<Args> before(kernel, spoiling, device, shape, config, fields),
      after(kernel, plain_sweep(), device, shape, config, fields);
  CHECK(before.verify().passed);
  CHECK_FALSE(fields->had_been_spoiled());
  after.reset();
  after.run();
  CHECK_FALSE(fields->check(0, "plain", shape).passed);  // without the repetition
  CHECK(fields->had_been_spoiled());
  CHECK(before.verify().passed);
  CHECK(after.verify().passed);
}

TEST_CASE(
    "each number of steps on the same fields is checked against as many plain ones, some of which are kept",
    "[cuda]") {
  EmulatedCuda device;
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const auto methods = CellKernel<RedBlackSor>::methods(BackendKind::cuda);
  const ProblemShape one{Precision::fp64, {21, 14}};
  std::vector<int> made;
  const auto problem = std::make_shared<const KernelProblem>(
      kernel.start(one), [&](const HostProblem& start, const ProblemShape& shape) {
        made.push_back(shape.steps);
        return kernel.expected(start, shape);
      });
  const auto fields = std::make_shared<KernelFields>(device, one.precision, problem);
  const auto passes = [&](const Method<Args>& method, int sweeps, int told) {
    ProblemShape shape = one;
    shape.steps = told;
    Config config = method.space.defaults();
    if (method.steps) config.set("sweeps", sweeps);
    return KernelWorkload<Args>(kernel, method, device, shape, config, fields).verify().passed;
  };
  const auto& tiled = find_method(methods, "tiled");
  KernelWorkload<Args> unverified(kernel, plain_sweep(), device, one, plain_sweep().space.defaults(), fields);
  unverified.load();
  unverified.run();
  CHECK(made.empty());  // not requested yet
  for (int times = 0; times < 2; ++times) {
    CHECK(passes(plain_sweep(), 1, 1));
    CHECK(passes(tiled, 8, 8));
    CHECK(passes(tiled, 3, 3));
    CHECK_FALSE(passes(tiled, 3, 8));
    CHECK_FALSE(passes(plain_sweep(), 1, 3));
    CHECK_FALSE(passes(tiled, 8, 1));
  }
  CHECK(made == std::vector<int>{1, 8, 3});
  const std::size_t field = fields->bytes() / 2;  // u and b
  CHECK(fields->bytes_of_copies() == 4 * field);  // u at the start, and after 1, 3 and 8 iterations
  for (const int sweeps : {5, 6, 7}) CHECK(passes(tiled, sweeps, sweeps));
  CHECK(fields->bytes_of_copies() == 5 * field);
  made.clear();
  CHECK(passes(tiled, 7, 7));
  CHECK(made.empty());
  CHECK(passes(plain_sweep(), 1, 1));  // requested after 8 and 3
  CHECK(made.empty());
  CHECK(passes(tiled, 3, 3));
  CHECK(made == std::vector<int>{3});
}

TEST_CASE("fp32 and mixed precision share fields on a device, and each is checked against its own bits",
          "[cuda]") {
  EmulatedCuda device;
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const Grid g{21, 14};
  const auto fields = std::make_shared<KernelFields>(
      device, Precision::fp32,
      std::make_shared<const KernelProblem>(problem_of(kernel, {Precision::fp32, g})));
  const auto passes = [&](Precision made, Precision told) {
    KernelWorkload<Args> workload(kernel, plain_sweep(), device, {made, g}, plain_sweep().space.defaults(),
                                  fields);
    workload.reset();
    workload.run();
    return fields->check(0, "plain", {told, g}).passed;
  };
  for (int times = 0; times < 2; ++times) {  // the second time on the device alone
    CHECK(passes(Precision::fp32, Precision::fp32));
    CHECK(passes(Precision::mixed, Precision::mixed));
    CHECK_FALSE(passes(Precision::fp32, Precision::mixed));
    CHECK_FALSE(passes(Precision::mixed, Precision::fp32));
  }
}
