// Fractional steps on an emulated device.
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/step_cases.hpp"

using namespace cfdmark;

// A dot product on the device adds in another order, so bits differ from those of a CPU.
TEST_CASE("fractional steps run on an emulated device as on a CPU, their solves captured from the second on",
          "[cuda][mesh][step]") {
  for_each_step_case([](StepKind kind, Precision p, const std::shared_ptr<const MeshFlow>& flow) {
    INFO(to_string(p) << " " << (kind == StepKind::exact));
    EmulatedCuda device;
    const Config config =
        TuningSpace{step_settings()}.complete({{"cg_tolerance", p == Precision::fp64 ? 1e-10 : 1e-4}});
    const auto solved = [&](Backend& on) {
      PreparedStep prepared(kind, on, p, config, flow);
      prepared.reset();
      Outcome outcome = prepared.solve(1e-6, 100);
      const Judgement judgement = prepared.verify(outcome, 1e-6);
      CHECK(judgement.wrong == "");
      CHECK(outcome.iterations == 4);
      return prepared.fluxes().flux;
    };
    const std::vector<double> on_device = solved(device), on_cpu = solved(backend(BackendKind::serial));
    CHECK(device.graphs_run() >= 2);
    CHECK(largest_gap(on_device, on_cpu) < (p == Precision::fp64 ? 1e-9 : 1e-3) * norm_of_values(on_cpu));
  });
}
