// Every method of the kernels on meshes on the host's backends against a plain loop over the mesh.
#include <map>

#include "tests/catch.hpp"
#include "tests/mesh/kernels/mesh_cases.hpp"

using namespace cfdmark;

namespace {

void check_mesh_methods(BackendKind kind) {
  if (const std::string reason = unavailable_reason(kind); !reason.empty()) {
    WARN("skipped: " << reason);
    return;
  }
  Backend& on = backend(kind);
  std::map<const Mesh*, DeviceMesh> uploaded;
  int cases = 0;
  for_each_mesh_case(kind, [&](const auto& kernel, const auto& method, const MeshShape& shape,
                               const HostProblem& start, const Config& config) {
    INFO(kernel.name << " " << method.name << " " << to_string(shape.precision) << " of "
                     << shape.mesh->cells() << " cells, " << config.text());
    DeviceMesh& mesh = uploaded.try_emplace(shape.mesh.get(), on, shape.mesh).first->second;
    CHECK(problem_of_method(on, mesh, kernel, method, shape, start, config) == "");
    ++cases;
  });
  CHECK(cases > 300);
}

}  // namespace

TEST_CASE("every serial method computes its kernel on meshes", "[mesh][kernels]") {
  check_mesh_methods(BackendKind::serial);
}
TEST_CASE("every openmp method computes its kernel on meshes", "[mesh][kernels]") {
  check_mesh_methods(BackendKind::openmp);
}
TEST_CASE("every kokkos method computes its kernel on meshes", "[mesh][kernels]") {
  check_mesh_methods(BackendKind::kokkos);
}
TEST_CASE("every cuda method computes its kernel on meshes", "[mesh][kernels][gpu]") {
  check_mesh_methods(BackendKind::cuda);
}
