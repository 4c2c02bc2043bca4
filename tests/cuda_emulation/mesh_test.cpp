// Every CUDA method of the kernels on meshes on an emulated device, against a plain loop over the mesh.
#include <map>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/mesh/kernels/mesh_cases.hpp"

using namespace cfdmark;

TEST_CASE("every cuda method computes its kernel on meshes on an emulated device", "[cuda][mesh]") {
  EmulatedCuda device;
  std::map<const Mesh*, DeviceMesh> uploaded;
  int cases = 0;
  for_each_mesh_case(BackendKind::cuda, [&](const auto& kernel, const auto& method, const MeshShape& shape,
                                            const HostProblem& start, const Config& config) {
    INFO(kernel.name << " " << method.name << " " << to_string(shape.precision) << " of "
                     << shape.mesh->cells() << " cells, " << config.text());
    DeviceMesh& mesh = uploaded.try_emplace(shape.mesh.get(), device, shape.mesh).first->second;
    CHECK(problem_of_method(device, mesh, kernel, method, shape, start, config) == "");
    ++cases;
  });
  CHECK(cases > 100);
}

TEST_CASE("kernels on meshes compile for two architectures in every precision and spill nothing",
          "[cuda][mesh]") {
  CudaOffline offline;
  for_each_mesh_case(BackendKind::cuda, [&](const auto& kernel, const auto& method, const MeshShape& shape,
                                            const HostProblem& start, const Config& config) {
    if (config != method.space.defaults()) return;
    DeviceMesh mesh(offline, shape.mesh);
    const MeshProblemFields fields(offline, start);
    method.prepare(offline, kernel.bind(shape, fields.views, mesh), config);
  });
  for (const char* architecture : {"sm_80", "sm_90"})
    for (const CompiledFunction& f : offline.compile(architecture)) {
      INFO(f.expression);
      CHECK(f.report.registers > 0);
      CHECK(f.report.spill_bytes == 0);
    }
}
