// Every kernel on meshes on ranks against its plain serial method on the whole mesh: the same bits.
#include <mutex>

#include "generated/mesh_kernels.hpp"
#include "kernels/cells/indexed/mesh_values.hpp"
#include "kernels/cells/indexed/ranks/mesh_kernel_part.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/parted_meshes.hpp"

using namespace cfdmark;

namespace {

// Passes everything to other ranks but buffers: ghosts get NaN.
class WithoutExchange final : public Ranks {
 public:
  explicit WithoutExchange(Ranks& ranks) : ranks_(ranks) {}
  int rank() const override { return ranks_.rank(); }
  int count() const override { return ranks_.count(); }
  double waited() const override { return ranks_.waited(); }
  void gather(const char* what, const void* mine, std::size_t bytes, void* of_all) override {
    ranks_.gather(what, mine, bytes, of_all);
  }
  void send(const void* data, std::size_t bytes, int to) override { ranks_.send(data, bytes, to); }
  void receive(void* data, std::size_t bytes, int from) override { ranks_.receive(data, bytes, from); }
  std::unique_ptr<GhostExchange> exchange(const Partition& partition, const AnyView& field) override {
    return ranks_.exchange(partition, field);
  }
  std::unique_ptr<BufferExchange> buffers(const std::vector<RankMessage>& sent,
                                          const std::vector<RankMessage>& received) override {
    struct Poisoned final : BufferExchange {
      std::vector<char> memory;
      char* outgoing(int) override { return memory.data(); }
      void start() override { std::fill(memory.begin(), memory.end(), char(0xff)); }
      const char* incoming(int) override { return memory.data(); }
      void finish() override {}
    };
    auto made = std::make_unique<Poisoned>();
    for (const auto* messages : {&sent, &received})
      for (const RankMessage& m : *messages) made->memory.resize(std::max(made->memory.size(), m.bytes));
    return made;
  }

 private:
  Ranks& ranks_;
};

std::vector<AnyView> views_of(const std::vector<HostField>& fields) {
  std::vector<AnyView> views;
  for (const HostField& field : fields) views.push_back(field.view());
  return views;
}

// A kernel on a mesh, and its results by one rank.
template <class K>
class KernelOnMesh {
 public:
  KernelOnMesh(const MeshKernelDescription<MeshArgs<K>>& kernel, const MeshShape& shape)
      : kernel_(kernel),
        shape_(shape),
        start_(kernel.start(shape)),
        expected_(kernel.expected(start_, shape).fields) {}

  // Returns where the results of two runs on ranks differ from those of one rank; empty if nowhere.
  std::string difference(const MeshPartition& partition, Overlap overlap, bool exchanges = true) const {
    std::vector<HostField> fields, written;
    for (const auto& entry : start_.fields) fields.push_back(entry.initial);
    std::mutex mutex;
    on_thread_ranks(partition.parts(), [&](Ranks& all) {
      WithoutExchange without(all);
      MeshKernelPart part(exchanges ? all : without, kernel_, shape_, partition, overlap);
      part.load(views_of(fields));
      part.run();
      part.run();
      const std::lock_guard lock(mutex);
      part.store(views_of(fields));
    });
    for (std::size_t n = 0; n < fields.size(); ++n)
      if (start_.fields[n].is_written) written.push_back(fields[n]);
    return first_mesh_difference(written, expected_);
  }

 private:
  const MeshKernelDescription<MeshArgs<K>>& kernel_;
  MeshShape shape_;
  HostProblem start_;
  std::vector<HostField> expected_;
};

template <class F>
void for_each_shape(const F& f) {
  for_each_mesh_kernel([&](const auto& kernel) {
    for (const auto& mesh : meshes_to_part())
      for (const VectorLayout vectors : {VectorLayout::planes, VectorLayout::packed}) {
        if (!(mesh->dims == 3 ? kernel.in_3d : kernel.in_2d)) continue;
        if (vectors == VectorLayout::packed && !kernel.has_vectors) continue;
        f(kernel, MeshShape{mesh, Precision::fp64, vectors});
      }
  });
}

}  // namespace

TEST_CASE("every kernel on meshes on ranks computes every bit of one rank", "[mesh][ranks]") {
  for_each_shape([](const auto& kernel, const MeshShape& shape) {
    const KernelOnMesh on_mesh(kernel, shape);
    for_each_mesh_partition(*shape.mesh, [&](const MeshPartition& partition) {
      if (shape.vectors == VectorLayout::packed && partition.parts() != 4) return;
      for (const Overlap overlap : {Overlap::none, Overlap::inner_first}) {
        if (partition.parts() > 4 && (overlap == Overlap::none) == (partition.parts() % 2 == 0)) continue;
        INFO(kernel.name << ", " << shape.mesh->dims << "-D, " << partition.parts() << " parts");
        CHECK(on_mesh.difference(partition, overlap) == "");
      }
    });
  });
}

TEST_CASE("kernels on meshes on ranks compute in 32 bits and mixed precision what one rank does",
          "[mesh][ranks]") {
  for_each_mesh_kernel([](const auto& kernel) {
    for (const auto& mesh : {meshes_to_part().front(), meshes_to_part().back()})
      for (const Precision p : {Precision::fp32, Precision::mixed}) {
        if (fp64_alone || !(mesh->dims == 3 ? kernel.in_3d : kernel.in_2d)) continue;
        INFO(kernel.name);
        const KernelOnMesh on_mesh(kernel, {mesh, p, VectorLayout::planes});
        CHECK(on_mesh.difference(scattered_parts(*mesh, 4), Overlap::inner_first) == "");
      }
  });
}

TEST_CASE("a kernel on a mesh that reads ghosts is wrong without the exchange", "[mesh][ranks]") {
  std::size_t found = 0;
  for_each_shape([&]<class K>(const MeshKernelDescription<MeshArgs<K>>& kernel, const MeshShape& shape) {
    const MeshPartition partition = scattered_parts(*shape.mesh, 4);
    bool reads_ghosts = false;
    for (const auto& field : mesh_field_facts<K>(shape.mesh->dims)) {
      const bool is_input = field.role == MeshRole::gather || (scatters<K> && field.role == MeshRole::in);
      reads_ghosts |= is_input && (field.value == MeshValue::noise || field.value == MeshValue::gas_state);
    }
    // The boundary's faces have one cell, and their owner has it.
    reads_ghosts &= kernel.name != "mesh_boundary";
    INFO(kernel.name);
    const bool differs = KernelOnMesh(kernel, shape).difference(partition, Overlap::none, false) != "";
    CHECK(differs == reads_ghosts);
    found += differs;
  });
  CHECK(found > 40);
}

TEST_CASE("what needs no ghosts and what does are all that a part owns", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(40, 40, 0, 1), Numbering::hilbert, 1);
  const MeshPartition partition = MeshPartition::of(mesh, 2, MeshCut::bisection);
  const auto length = [](const std::vector<EntityRun>& runs) {
    int sum = 0;
    for (const EntityRun& run : runs) sum += run.end - run.first;
    return sum;
  };
  for (const int rank : {0, 1}) {
    const MeshPart part(mesh, partition, rank);
    // A gradient on a cut reads the other side's cell; the higher rank owns its face.
    const KernelReach gradient = kernel_reach(part, Connection::face_cells, false);
    CHECK(length(gradient.edge) == (rank == 1 ? partition.cut_faces() : 0));
    // A divergence needs the fluxes on the cut, which the higher rank owns.
    const KernelReach divergence = kernel_reach(part, Connection::cell_faces, false);
    CHECK((length(divergence.edge) > 0) == (rank == 0));
    CHECK(length(divergence.inside) + length(divergence.edge) == partition.cells_of(rank));
  }
}
