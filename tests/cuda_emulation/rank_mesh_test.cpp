// Kernels on meshes on several CUDA devices, each with a part: emulated, and real ones where there are two.
#include <atomic>
#include <mutex>

#include "generated/mesh_kernels.hpp"
#include "kernels/cells/indexed/mesh_values.hpp"
#include "kernels/cells/indexed/ranks/mesh_device_part.hpp"
#include "kernels/mesh_gradient/mesh_gradient.hpp"
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

  // Returns where the results of `runs` steps on devices differ from those of one; empty if nowhere.
  std::string difference(const MeshPartition& partition, PeerWay way, int runs = 2) const {
    const Method<MeshArgs<K>>& plain = find_method(methods_, "plain");
    std::vector<HostField> fields, written;
    for (const auto& entry : start_.fields) fields.push_back(entry.initial);
    std::vector<std::unique_ptr<MeshDevicePart>> parts(static_cast<std::size_t>(partition.parts()));
    on_thread_ranks(
        partition.parts(),
        [&](Ranks& all) {
          Backend& device = backend({BackendKind::cuda, all.rank()});
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

TEST_CASE("a dropped message of entities between devices is found", "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  const auto mesh = meshes_to_part().front();
  const KernelOnMesh on_mesh(gradient(), {mesh, Precision::fp64, VectorLayout::planes});
  const MeshPartition partition = scattered_parts(*mesh, 2);
  const auto drops_puts = [](std::vector<PeerWork> work, int) {
    std::erase_if(work, [](const PeerWork& w) {
      const auto* const put = std::get_if<Put>(&w);
      return put && put->to_rank >= 0;
    });
    return work;
  };
  for (const PeerWay way : {PeerWay::copy, PeerWay::store}) {
    REQUIRE(on_mesh.difference(partition, way) == "");
    machine.devices[0].fault = drops_puts;
    CHECK(on_mesh.difference(partition, way) != "");
    machine.devices[0].fault = nullptr;
  }
}
