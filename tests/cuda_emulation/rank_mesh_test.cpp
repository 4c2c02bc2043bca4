// Kernels on meshes on several CUDA devices, each with a part: emulated, and real ones where there are two.
#include <functional>
#include <memory>

#include "generated/mesh_kernels.hpp"
#include "kernels/cells/indexed/mesh_values.hpp"
#include "kernels/cells/indexed/ranks/mesh_device_part.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/mesh_gradient/mesh_gradient.hpp"
#include "kernels/ranks/scattered_values.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"
#include "tests/ranks/parted_meshes.hpp"

using namespace cfdmark;

namespace {

std::vector<AnyView> views_of(const std::vector<HostField>& fields) {
  std::vector<AnyView> views;
  for (const HostField& field : fields) views.push_back(field.view());
  return views;
}

// A kernel on a mesh, and its results by one device.
template <class K>
class KernelOnMesh {
 public:
  KernelOnMesh(const MeshKernelDescription<MeshArgs<K>>& kernel, const MeshShape& shape)
      : kernel_(kernel),
        shape_(shape),
        start_(kernel.start(shape)),
        expected_(kernel.expected(start_, shape).fields),
        methods_(kernel.methods(BackendKind::cuda)) {}

  // Returns where the results of `runs` steps on devices differ from those of one; empty if nowhere. Rank r
  // has devices[r], or device r of this machine.
  std::string difference(const MeshPartition& partition, PeerWay way, int runs = 2,
                         const std::vector<Backend*>& devices = {}) const {
    const Method<MeshArgs<K>>& plain = find_method(methods_, "plain");
    std::vector<HostField> fields, written;
    for (const auto& entry : start_.fields) fields.push_back(entry.initial);
    std::vector<std::unique_ptr<MeshDevicePart>> parts(static_cast<std::size_t>(partition.parts()));
    on_thread_ranks(
        partition.parts(),
        [&](Ranks& all) {
          Backend& device =
              devices.empty() ? backend({BackendKind::cuda, all.rank()}) : *devices[std::size_t(all.rank())];
          const DeviceLinks links(all, device, way);
          auto& part = parts[std::size_t(all.rank())];
          part = std::make_unique<MeshDevicePart>(all, device, links, kernel_, plain, plain.space.defaults(),
                                                  shape_, partition);
          part->load(views_of(fields));
          all.agree("");  // all are loaded before one runs
          for (int n = 0; n < runs; ++n) part->run();
          device.fence();
        },
        20);
    for (const auto& part : parts) part->store(views_of(fields));
    for (std::size_t n = 0; n < fields.size(); ++n)
      if (start_.fields[n].is_written) written.push_back(fields[n]);
    return first_mesh_difference(written, expected_);
  }

 private:
  const MeshKernelDescription<MeshArgs<K>>& kernel_;
  MeshShape shape_;
  HostProblem start_;
  std::vector<HostField> expected_;
  Methods<MeshArgs<K>> methods_;
};

const MeshKernelDescription<MeshArgs<MeshGradient>>& gradient() {
  static const auto kernel = MeshKernel<MeshGradient>::kernel();
  return kernel;
}

// Returns the work without what goes to another device, or to the host to go there.
std::vector<PeerWork> without_puts(std::vector<PeerWork> work, int) {
  std::erase_if(work, [](const PeerWork& w) { return std::holds_alternative<Put>(w); });
  return work;
}

}  // namespace

TEST_CASE("a gradient on a mesh on two and three emulated devices has every bit of one, by each way",
          "[cuda][ranks][mesh]") {
  EmulatedDevices machine(3);
  for (const auto& mesh : meshes_to_part()) {
    const KernelOnMesh on_mesh(gradient(), {mesh, Precision::fp64, VectorLayout::planes});
    for (const PeerWay way : all_peer_ways)
      for (const int ranks : {2, 3}) {
        INFO(mesh->dims << "-D, " << ranks << " by " << to_string(way));
        CHECK(on_mesh.difference(MeshPartition::of(*mesh, ranks, MeshCut::bisection), way) == "");
        CHECK(on_mesh.difference(scattered_parts(*mesh, ranks), way) == "");
      }
  }
}

TEST_CASE("every kernel on meshes on emulated devices has every bit of one", "[cuda][ranks][mesh]") {
  EmulatedDevices machine(4);
  int cases = 0;
  for_each_mesh_kernel([&](const auto& kernel) {
    for (const auto& mesh : meshes_to_part())
      for (const Precision p : all_precisions)
        for (const VectorLayout vectors : {VectorLayout::planes, VectorLayout::packed}) {
          if (fp64_alone && p != Precision::fp64) continue;
          if (!(mesh->dims == 3 ? kernel.in_3d : kernel.in_2d)) continue;
          if (vectors == VectorLayout::packed && !kernel.has_vectors) continue;
          const KernelOnMesh on_mesh(kernel, {mesh, p, vectors});
          INFO(kernel.name << ", " << mesh->dims << "-D, " << to_string(p));
          for (const int ranks : {2, 3})
            CHECK(on_mesh.difference(MeshPartition::of(*mesh, ranks, MeshCut::bisection), PeerWay::store) ==
                  "");
          CHECK(on_mesh.difference(scattered_parts(*mesh, 4), PeerWay::copy) == "");
          if (not_built_reason(MeshCut::metis).empty())
            CHECK(on_mesh.difference(MeshPartition::of(*mesh, 2, MeshCut::metis), PeerWay::host) == "");
          ++cases;
        }
  });
  CHECK(cases >= (fp64_alone ? 50 : 150));
}

TEST_CASE("planted faults of messages of entities between devices are found", "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  const auto mesh = meshes_to_part().front();
  const KernelOnMesh on_mesh(gradient(), {mesh, Precision::fp64, VectorLayout::planes});
  const MeshPartition partition = scattered_parts(*mesh, 2);
  REQUIRE(on_mesh.difference(partition, PeerWay::store) == "");
  const double before = std::exchange(emulation::Peers::most_seconds, 3.0);
  for (const PeerWay way : {PeerWay::copy, PeerWay::store, PeerWay::host}) {
    INFO("by " << to_string(way));
    // Rank 0 sends no values: those of rank 1 stay NaN.
    machine.devices[0].fault = without_puts;
    CHECK(on_mesh.difference(partition, way) != "");
    machine.devices[0].fault = nullptr;
  }
  // Rank 1 unpacks what has not arrived.
  machine.devices[1].fault = [](std::vector<PeerWork> work, int) {
    std::erase_if(work, [](const PeerWork& w) { return std::holds_alternative<Await>(w); });
    return work;
  };
  machine.devices[0].fault = [](std::vector<PeerWork> work, int) {
    std::erase_if(work, [](const PeerWork& w) { return std::holds_alternative<Await>(w); });
    std::erase_if(work, [](const PeerWork& w) { return std::holds_alternative<Signal>(w); });
    return work;
  };
  CHECK(on_mesh.difference(partition, PeerWay::store) != "");
  machine.devices[1].fault = nullptr;
  // Rank 0 says nothing: the error says who waits for whom.
  CHECK_THROWS_WITH(on_mesh.difference(partition, PeerWay::store),
                    ContainsSubstring("rank 1 waits for rank 0"));
  machine.devices[0].fault = nullptr;
  emulation::Peers::most_seconds = before;
}

TEST_CASE("a message of entities that NCCL loses is found", "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  const auto mesh = meshes_to_part().front();
  const KernelOnMesh on_mesh(gradient(), {mesh, Precision::fp64, VectorLayout::planes});
  emulation::most_seconds_of_a_receive = 0.5;
  emulation::group_fault = [lists = 0](std::vector<GroupMessage> list, int rank) mutable {
    if (rank == 0 && lists++ > 0)  // the first list is the trial of the group
      std::erase_if(list, [](const GroupMessage& m) { return m.send; });
    return list;
  };
  CHECK_THROWS_WITH(on_mesh.difference(scattered_parts(*mesh, 2), PeerWay::nccl),
                    ContainsSubstring("rank 1 has no message from rank 0"));
  emulation::group_fault = nullptr, emulation::most_seconds_of_a_receive = 30;
}

TEST_CASE("ranks that disagree on a message of entities are refused, and so are values of two widths",
          "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  std::vector<double> memory(8);
  const EntityValues values{reinterpret_cast<char*>(memory.data()), 8, 1, 8, 64};
  const auto prepared = [&](const std::function<std::vector<EntityField>(int rank)>& fields) {
    on_thread_ranks(2, [&](Ranks& ranks) {
      Backend& device = backend({BackendKind::cuda, ranks.rank()});
      exchange_entities(device, DeviceLinks(ranks, device, PeerWay::store), fields(ranks.rank()));
    });
  };
  CHECK_THROWS_WITH(prepared([&](int rank) -> std::vector<EntityField> {
                      if (rank == 0) return {{{.sent = {{1, {2, 3}}}, .received = {}}, values}};
                      return {{{.sent = {}, .received = {{0, {5}}}}, values}};
                    }),
                    ContainsSubstring("rank 1 expects 8 bytes from rank 0, which sends 16"));
  EntityValues narrow = values;
  narrow.bytes = 4;
  CHECK_THROWS_WITH(prepared([&](int) -> std::vector<EntityField> {
                      return {{{}, values}, {{}, narrow}};
                    }),
                    ContainsSubstring("values of 8 and 4 bytes"));
}

TEST_CASE("the packing of messages of entities compiles for a device and spills nothing",
          "[cuda][ranks][mesh]") {
  CudaOffline offline;
  for (const std::size_t bytes : {4, 8})
    offline.prepare({.run = {pack_launch({}, {}, 1, bytes), unpack_launch({}, {}, 1, bytes)}});
  const auto compiled = offline.compile("sm_90");
  CHECK(compiled.size() == 4);
  for (const CompiledFunction& f : compiled) {
    INFO(f.expression);
    CHECK(f.report.registers > 0);
    CHECK(f.report.spill_bytes == 0);
  }
}

namespace {

// The triangles of Menon's table 8.3.
std::shared_ptr<const Mesh> large_mesh() {
  Mesh made = triangles(120, 120, 17256, 1);
  connect(made);
  return std::make_shared<const Mesh>(std::move(made));
}

}  // namespace

TEST_CASE("a gradient on a mesh on two devices has every bit of one", "[cuda][ranks][mesh][gpu]") {
  if (skipped_without_two_devices()) return;
  const auto mesh = large_mesh();
  const KernelOnMesh on_mesh(gradient(), {mesh, Precision::fp32, VectorLayout::planes});
  for (const PeerWay way : ways_of(backend(BackendKind::cuda))) {
    INFO(to_string(way));
    CHECK(on_mesh.difference(MeshPartition::of(*mesh, 2, MeshCut::bisection), way, 5) == "");
    CHECK(on_mesh.difference(scattered_parts(*mesh, 2), way, 5) == "");
  }
}

TEST_CASE("kernels on meshes on two ranks that share a device by way of the hosts have every bit of one",
          "[cuda][ranks][mesh][gpu]") {
  if (skipped_without_device()) return;
  const std::unique_ptr<Backend> second = new_queue(BackendKind::cuda);
  const std::vector<Backend*> queues = {&backend(BackendKind::cuda), second.get()};
  const auto mesh = large_mesh();
  for_each_mesh_kernel([&](const auto& kernel) {
    if (!kernel.in_2d) return;
    for (const Precision p : {Precision::fp32, Precision::fp64}) {
      INFO(kernel.name << ", " << to_string(p));
      const KernelOnMesh on_mesh(kernel, {mesh, p, VectorLayout::planes});
      CHECK(on_mesh.difference(scattered_parts(*mesh, 2), PeerWay::host, 3, queues) == "");
    }
  });
}
