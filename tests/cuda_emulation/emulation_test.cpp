// Every CUDA method against its host problem, on an emulated device: what a machine without a GPU can know of
// them.
#include "tests/catch.hpp"
#include "tests/cuda_emulation/cases.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"

using namespace cfdmark;

TEST_CASE("every cuda method computes its kernel on an emulated device", "[cuda]") {
  EmulatedCuda device;
  int cases = 0;
  for_each_cuda_case(
      emulated_grids, emulated_configs,
      [&](const auto& kernel, const auto& method, Precision p, const auto& host, const Config& config) {
        const auto workload = prepare_case(kernel, method, device, p, host, config);
        if (!workload) return;
        INFO(kernel.name << " " << method.name << " " << to_string(p) << " "
                         << grid_text(host->fields[0].initial.grid()) << " " << config.text());
        const Verification v = workload->verify();
        INFO(v.reason);
        CHECK(v.passed);
        ++cases;
      });
  CHECK(cases > 100);
}

TEST_CASE("a step that is run twice on an emulated device is two sweeps", "[cuda]") {
  EmulatedCuda device;
  const Grid g{21, 14};
  const KernelDescription<RedBlackArgs> kernel = red_black_sor_kernel();
  const HostProblem problem = kernel.problem(Precision::fp64, g);
  auto after_two_steps = [&](const Method<RedBlackArgs>& method) {
    Field u(device, g, Precision::fp64), b(device, g, Precision::fp64);
    u.upload(problem.fields[0].initial);
    b.upload(problem.fields[1].initial);
    const Step step = method.prepare(device, kernel.bind(Precision::fp64, g, {u.view(), b.view()}, nullptr),
                                     method.space.defaults());
    if (step.load) step.load();
    step.run();
    step.run();
    if (step.store) step.store();
    return u.download();
  };
  const Methods<RedBlackArgs> methods = kernel.methods(BackendKind::cuda);
  const HostField expected = after_two_steps(find_method(methods, "plain"));
  for (const auto& method : methods) {
    INFO(method.name);
    double error = 0;
    CHECK(first_difference(after_two_steps(method), expected, error) == "");
  }
}
