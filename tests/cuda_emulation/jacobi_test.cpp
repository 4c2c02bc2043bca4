// Jacobi sweeps in one pass over memory, on an emulated device: as many plain ones, bit by bit, and two by
// hand.
#include "bench/catalog/kernel_workload.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/jacobi_cases.hpp"

using namespace cfdmark;

namespace {

template <class K>
Verification verified(Backend& device, Precision p, const Grid& g, const Config& config) {
  const auto kernel = CellKernel<K>::kernel();
  const auto methods = kernel.methods(BackendKind::cuda);
  const auto& method = find_method(methods, "pipelined");
  const ProblemShape shape{p, g, OperatorKind::constant, method.steps_of(config)};
  const auto host = std::make_shared<const HostProblem>(kernel.problem(shape));
  const auto fields = std::make_shared<KernelFields>(device, p, host);
  return KernelWorkload<CellArgs<K>>(kernel, method, device, shape, config, fields).verify();
}

}  // namespace

TEMPLATE_TEST_CASE("pipelined Jacobi sweeps leave the plain ones' bits at any size, in any number",
                   "[cuda][jacobi]", Jacobi, JacobiLaplace) {
  EmulatedCuda device;
  const auto methods = CellKernel<TestType>::methods(BackendKind::cuda);
  for_each_jacobi_case(find_method(methods, "pipelined").space,
                       [&](Precision p, const Grid& g, const Config& config) {
                         INFO(to_string(p) << " " << grid_text(g) << " " << config.text());
                         const Verification v = verified<TestType>(device, p, g, config);
                         INFO(v.reason);
                         CHECK(v.passed);
                       });
}

// Two points with 3 west and 5 east of them, 7 and 11 south, 13 and 17 north, from 0 and 0:
//   (3 + 0 + 7 + 13) / 4 = 23/4 and (0 + 5 + 11 + 17) / 4 = 33/4, then
//   (3 + 33/4 + 7 + 13) / 4 = 125/16 and (23/4 + 5 + 11 + 17) / 4 = 155/16.
TEST_CASE("two pipelined Jacobi sweeps of two points are those worked by hand", "[cuda][jacobi]") {
  EmulatedCuda device;
  const Grid g{2, 1};
  HostField start(g, Precision::fp64);
  start.set(-1, 0, 0, 3), start.set(2, 0, 0, 5);
  start.set(0, -1, 0, 7), start.set(1, -1, 0, 11), start.set(0, 1, 0, 13), start.set(1, 1, 0, 17);
  Field u(device, g, Precision::fp64), out(device, g, Precision::fp64);
  u.upload(start);
  const auto methods = CellKernel<JacobiLaplace>::methods(BackendKind::cuda);
  const auto& method = find_method(methods, "pipelined");
  Config config = method.space.defaults();
  config.set("sweeps", 2);
  method.prepare(device, {.fields = {Operator{}, u.view(), out.view()}}, config).run();
  CHECK(out.download().get(0, 0, 0) == 125 / 16.);
  CHECK(out.download().get(1, 0, 0) == 155 / 16.);
}

TEST_CASE(
    "Jacobi is pipelined where its coefficients are constant, in planes, and else refused with a reason",
    "[jacobi]") {
  const auto methods = CellKernel<Jacobi>::methods(BackendKind::cuda);
  const auto& method = find_method(methods, "pipelined");
  const auto why = [&](const Grid& g, bool constant) {
    return method.why_unsupported(args_without_values<Jacobi>(Precision::fp64, g, constant));
  };
  CHECK(why({8, 8}, true) == "");
  CHECK_THAT(why({8, 8, 8}, true), ContainsSubstring("2-D"));
  CHECK_THAT(why({8, 8}, false), ContainsSubstring("coefficients"));
  const auto refused = [&](const Config& config) {
    return method.space.constraint(method.space.complete(config));
  };
  CHECK(refused({}) == "");
  CHECK_THAT(refused({{"sweeps_a_warp", 4}, {"packs", 6}}), ContainsSubstring("registers"));
  CHECK_THAT(refused({{"warps", 12}, {"sweeps_a_warp", 4}, {"packs", 2}, {"resident", 1}}),
             ContainsSubstring("strips"));
}

TEST_CASE("a pass of Jacobi sweeps moves u, b and what it writes once", "[jacobi]") {
  const auto bytes_a_cell = [](auto kernel, int warps) {
    using K = decltype(kernel);
    const auto methods = CellKernel<K>::methods(BackendKind::cuda);
    const auto& method = find_method(methods, "pipelined");
    const Grid g{64, 32};
    const auto args = args_without_values<K>(Precision::fp64, g, true);
    const Config config = method.space.complete({{"warps", warps}, {"sweeps", 32}});
    return declared_cost(method, cell_cost<K>, args, config).bytes / double(g.cells());
  };
  CHECK(bytes_a_cell(Jacobi{}, 8) == 2 * 3 * 8 / 32.0);         // two launches of 16
  CHECK(bytes_a_cell(JacobiLaplace{}, 8) == 2 * 2 * 8 / 32.0);  // no b
  CHECK(bytes_a_cell(JacobiLaplace{}, 2) == 8 * 2 * 8 / 32.0);
}
