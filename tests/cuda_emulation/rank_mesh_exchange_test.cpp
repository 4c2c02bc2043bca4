// The exchange of entities of a mesh between emulated devices: values of each run, of several fields at once.
#include <atomic>
#include <limits>

#include "kernels/ranks/device_entities.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_machine.hpp"
#include "tests/ranks/parted_meshes.hpp"
#include "tests/ranks/wrong_mesh_ghosts.hpp"

using namespace cfdmark;

namespace {

// A field at all entities of a kind of a part, whose ghosts are exchanged.
template <class T>
struct GhostedField {
  const MeshPart& part;
  Entity entity;
  PartValues<T> field;

  GhostedField(const MeshPart& of, Entity at, int components)
      : part(of), entity(at), field(int(of.numbers(at).size()), components) {}
  EntityField exchanged(Ranks& ranks) {
    return {entity_messages(ranks, part, entity, ghosts_of(part, entity)), field.values()};
  }
  // Calls f(value, number that is expected there, whether it is a ghost) for all values.
  template <class F>
  void for_all(int run, const F& f) {
    for (int e = 0; e < field.entities; ++e)
      for (int d = 0; d < field.components; ++d)
        f(field.at(e, d), T(value_of_entity(part.numbers(entity)[std::size_t(e)], d, run)),
          !part.owns(entity, e));
  }
};

// Exchanges two fields several times and returns the number of wrong values after a run. Ghosts are NaN
// before each.
template <class T>
int wrong_after_runs(Ranks& ranks, Backend& device, PeerWay way, const Mesh& mesh,
                     const MeshPartition& partition) {
  const MeshPart part(mesh, partition, ranks.rank());
  GhostedField<T> cells(part, Entity::cell, 1), faces(part, Entity::face, mesh.dims);
  const DeviceLinks links(ranks, device, way);
  const std::vector<EntityField> fields = {cells.exchanged(ranks), faces.exchanged(ranks)};
  const auto exchange = exchange_entities(device, links, fields);
  int wrong = 0;
  const auto for_all = [&](int run, const auto& f) { cells.for_all(run, f), faces.for_all(run, f); };
  for (int run = 0; run < 3; ++run) {
    for_all(run, [](T& value, T expected, bool is_ghost) {
      value = is_ghost ? std::numeric_limits<T>::quiet_NaN() : expected;
    });
    exchange.step.run();
    for_all(run, [&](const T& value, T expected, bool) { wrong += value != expected; });
  }
  return wrong;
}

template <class T>
int wrong_on(EmulatedDevices& machine, PeerWay way, const Mesh& mesh, const MeshPartition& partition) {
  std::atomic<int> wrong = 0;
  on_thread_ranks(
      partition.parts(),
      [&](Ranks& ranks) {
        wrong += wrong_after_runs<T>(ranks, machine.devices[std::size_t(ranks.rank())], way, mesh, partition);
      },
      20);
  return wrong;
}

}  // namespace

TEST_CASE("every ghost of several fields has its owner's value of each run, in one message to each rank",
          "[cuda][ranks][mesh]") {
  EmulatedDevices machine(4);
  for (const auto& mesh : meshes_to_part())
    for (const PeerWay way : all_peer_ways)
      for (const int ranks : {2, 3, 4}) {
        INFO(mesh->dims << "-D, " << ranks << " by " << to_string(way));
        CHECK(wrong_on<double>(machine, way, *mesh, scattered_parts(*mesh, ranks)) == 0);
        CHECK(wrong_on<float>(machine, way, *mesh, MeshPartition::of(*mesh, ranks, MeshCut::bisection)) == 0);
      }
}

TEST_CASE("a device sends other ranks the bytes of the ghosts that they have, and says so",
          "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  const Mesh mesh = numbered(triangles(2, 2, 0, 1), Numbering::hilbert, 1);
  const MeshPartition partition = MeshPartition::of(mesh, 2, MeshCut::bisection);
  on_thread_ranks(2, [&](Ranks& ranks) {
    Backend& device = machine.devices[std::size_t(ranks.rank())];
    const MeshPart part(mesh, partition, ranks.rank());
    GhostedField<float> cells(part, Entity::cell, 1), faces(part, Entity::face, 2);
    const std::vector<EntityField> fields = {cells.exchanged(ranks), faces.exchanged(ranks)};
    double bytes = 0;
    for (const EntityField& field : fields)
      for (const EntityMessage& m : field.messages.sent)
        bytes += 4. * double(m.entities.size()) * field.values.components;
    const DeviceLinks links(ranks, device, PeerWay::store);
    const ExchangeTraffic traffic = exchange_entities(device, links, fields).traffic;
    if (traffic.messages != 1 || traffic.bytes != bytes || traffic.largest != bytes)
      throw std::runtime_error("other traffic than its messages");
  });
}

TEST_CASE("a message of entities that is too short by NCCL is found", "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  const auto mesh = meshes_to_part().front();
  emulation::most_seconds_of_a_receive = 0.5;
  emulation::group_fault = [lists = 0](std::vector<GroupMessage> list, int rank) mutable {
    if (rank == 0 && lists++ > 0)  // the first list is the trial of the group
      for (GroupMessage& m : list)
        if (m.send) m.bytes -= 4;
    return list;
  };
  CHECK_THROWS_WITH(wrong_on<float>(machine, PeerWay::nccl, *mesh, scattered_parts(*mesh, 2)),
                    ContainsSubstring("bytes where rank"));
  emulation::group_fault = nullptr, emulation::most_seconds_of_a_receive = 30;
}
