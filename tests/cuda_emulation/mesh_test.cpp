// Every CUDA method of the kernels on meshes on an emulated device, against a plain loop over the mesh.
#include <map>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/mesh_gradient/mesh_gradient.hpp"
#include "kernels/mesh_rotation/mesh_rotation.hpp"
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
  CHECK(cases > 300);
}

namespace {

// Returns the launch of a `plain` method of CUDA on a mesh, with fields whose values start `shift` bytes
// later.
template <class K>
Launch plain_launch(const std::shared_ptr<const Mesh>& mesh, const Config& config, std::size_t shift = 0) {
  CudaOffline offline;
  const auto kernel = MeshKernel<K>::kernel();
  const MeshShape shape{mesh, Precision::fp32};
  const MeshProblemFields fields(offline, kernel.start(shape));
  std::vector<AnyView> views = fields.views;
  for (AnyView& view : views) view.origin = static_cast<char*>(view.origin) + shift;
  DeviceMesh lists(offline, mesh);
  const auto methods = kernel.methods(BackendKind::cuda);
  const auto& plain = find_method(methods, "plain");
  plain.prepare(offline, kernel.bind(shape, views, lists), plain.space.complete(config));
  return offline.launches().at(0);
}

}  // namespace

TEST_CASE("blocks cover all entities of a mesh, several a thread", "[cuda][mesh]") {
  const auto mesh = shared_mesh(triangles(31, 23, 0, 3));
  REQUIRE(mesh->faces() == 2193);
  REQUIRE(mesh->nodes.size() == 768);
  const auto blocks = [&](int entities, int threads) {
    return plain_launch<MeshGradient>(mesh, {{"entities_per_thread", entities}, {"block_x", threads}})
        .blocks.x;
  };
  CHECK(blocks(1, 128) == 18);
  CHECK(blocks(2, 128) == 9);
  CHECK(blocks(4, 128) == 5);
  CHECK(blocks(4, 64) == 9);
  const Launch rotation = plain_launch<MeshRotation>(mesh, {{"entities_per_thread", 2}, {"block_x", 64}});
  CHECK(rotation.blocks.x == 6);
  CHECK(rotation.threads.x == 64);
}

TEST_CASE("a block that reads lists together has memory for the entries of its entities", "[cuda][mesh]") {
  const auto mesh = shared_mesh(triangles(31, 23, 9, 3));
  const HostLists lists = lists_of(*mesh, Connection::edge_faces);
  for (const int length : {1, 2, 4}) {
    const Config config{{"entities_per_thread", length}, {"block_x", 32}};
    const Launch launch = plain_launch<MeshRotation>(mesh, config);
    int most = 0;
    for (int e = 0; e < lists.entities; e += 32 * length)
      most = std::max(most, lists.begin[std::size_t(std::min(e + 32 * length, lists.entities))] -
                                lists.begin[std::size_t(e)]);
    CHECK(launch.shared_bytes >= 4 * most);
    CHECK(launch.shared_bytes <= 4 * 32 * length * 9);  // no node of this mesh has more faces
    CHECK(plain_launch<MeshRotation>(mesh, {{"list_reads", "thread"}}).shared_bytes == 0);
  }
}

TEST_CASE("groups of entities refuse three a thread, half warps that read lists, and fields that start oddly",
          "[cuda][mesh]") {
  const auto mesh = shared_mesh(triangles(7, 5, 9, 2));
  CHECK_THROWS_WITH(plain_launch<MeshGradient>(mesh, {{"entities_per_thread", 3}}),
                    ContainsSubstring("use 1, 2 or 4"));
  CHECK_THROWS_WITH(plain_launch<MeshRotation>(mesh, {{"block_x", 48}}),
                    ContainsSubstring("block_x=48: list_reads=block requires a multiple of 32"));
  CHECK_NOTHROW(plain_launch<MeshRotation>(mesh, {{"block_x", 48}, {"list_reads", "thread"}}));
  CHECK_THROWS_WITH(plain_launch<MeshGradient>(mesh, {{"entity_stride", 2}}),
                    ContainsSubstring("use 1 or 32"));
  CHECK_THROWS_WITH(plain_launch<MeshRotation>(mesh, {{"entity_stride", 1}}),
                    ContainsSubstring("its default"));
  CHECK_NOTHROW(plain_launch<MeshGradient>(mesh, {{"entity_stride", 1}}, 16));
  CHECK_NOTHROW(plain_launch<MeshGradient>(mesh, {{"entity_stride", 32}}, 4));
  CHECK_THROWS_WITH(plain_launch<MeshGradient>(mesh, {{"entity_stride", 1}}, 4),
                    ContainsSubstring("multiple of 16 bytes"));
}

TEST_CASE("several steps of a kernel on a mesh are recorded as one graph, which later runs launch",
          "[cuda][mesh]") {
  EmulatedCuda device;
  const auto mesh = shared_mesh(triangles(7, 5, 9, 2));
  const MeshShape shape{mesh, Precision::fp32};
  DeviceMesh lists(device, mesh);
  const auto kernel = MeshKernel<MeshGradient>::kernel();
  const HostProblem start = kernel.start(shape);
  const auto methods = kernel.methods(BackendKind::cuda);
  const auto& repeated = find_method(methods, "repeated");
  for (const char* mode : {"stream", "graph"}) {
    const MeshProblemFields fields(device, start);
    const Config config = repeated.space.complete({{"launch_mode", mode}, {"sweeps", 10}});
    const int before = device.graphs_run();
    const Step step = repeated.prepare(device, kernel.bind(shape, fields.views, lists), config);
    CHECK(step.resources.launches == 1);  // of one step
    CHECK(repeated.steps_of(config) == 10);
    for (int n = 0; n < 3; ++n) step.run();
    CHECK(device.graphs_run() - before == (mode == std::string("graph") ? 2 : 0));
    CHECK(kernel.problem(start, shape, "repeated", fields.written(start)) == "");
  }
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
