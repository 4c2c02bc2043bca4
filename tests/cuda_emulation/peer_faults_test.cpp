// Faults planted in the messages between emulated devices: each must be found.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_machine.hpp"

using namespace cfdmark;

namespace {

using Change = std::function<std::vector<PeerWork>(std::vector<PeerWork>, int rank)>;

// Returns the work without its n-th signal or await of a kind; n counts from 0.
template <class Kind>
Change without(int n, int of_rank) {
  return [=](std::vector<PeerWork> work, int rank) {
    int seen = 0;
    if (rank == of_rank)
      std::erase_if(work, [&](const PeerWork& w) { return std::holds_alternative<Kind>(w) && seen++ == n; });
    return work;
  };
}

// Rank 0 gives its last signal before its values.
std::vector<PeerWork> signal_before_data(std::vector<PeerWork> work, int rank) {
  if (rank != 0) return work;
  std::stable_partition(work.begin() + 2, work.end(),
                        [](const PeerWork& w) { return std::holds_alternative<Signal>(w); });
  return work;
}

// Exchanges the ghosts of a field on two devices several times; a rank may read late. Returns the number of
// ghosts that were wrong when they were read.
int wrong_in_rounds(EmulatedDevices& machine, int late_rank, PeerWay way = PeerWay::store) {
  const Partition partition = Partition::of({16, 16}, 2, PartShape::from("slabs"));
  std::atomic<int> wrong = 0;
  on_thread_ranks(
      2,
      [&](Ranks& ranks) {
        const int rank = ranks.rank();
        HostField field(partition.local(rank, 1), Precision::fp64);
        const DeviceLinks links(ranks, machine.devices[std::size_t(rank)], way);
        const auto exchange = links.exchange(partition, field.view());
        for (int round = 1; round <= 5; ++round) {
          const int edge = rank == 0 ? 7 : 0, ghost = rank == 0 ? 8 : -1;
          for (int i = 0; i < 16; ++i) field.set(i, edge, 0, 100 * rank + round);
          exchange.step.run();
          if (rank == late_rank) std::this_thread::sleep_for(std::chrono::milliseconds(20));
          for (int i = 0; i < 16; ++i) wrong += field.get(i, ghost) != 100 * (1 - rank) + round;
        }
      },
      5);
  return wrong;
}

}  // namespace

TEST_CASE("a rank that reads late still reads the values of its round", "[cuda][ranks]") {
  EmulatedDevices machine(2);
  CHECK(wrong_in_rounds(machine, -1) == 0);
  CHECK(wrong_in_rounds(machine, 1) == 0);
  CHECK(wrong_in_rounds(machine, 0) == 0);
}

TEST_CASE("planted faults of messages between devices are found", "[cuda][ranks]") {
  EmulatedDevices machine(2);
  const double before = std::exchange(emulation::Peers::most_seconds, 3.0);
  SECTION("a dropped signal: the error says who waits for whom") {
    machine.devices[0].fault = without<Signal>(1, 0);
    CHECK_THROWS_WITH(wrong_in_rounds(machine, -1),
                      ContainsSubstring("rank 1 waits for rank 0, round 1: its values are missing"));
  }
  SECTION("a signal before its data") {
    machine.devices[0].fault = signal_before_data;
    CHECK(wrong_in_rounds(machine, -1) > 0);
  }
  SECTION("a rank that writes before the other has read its last values") {
    machine.devices[0].fault = without<Await>(0, 0);
    CHECK(wrong_in_rounds(machine, 1) > 0);
  }
  SECTION("values that are not awaited") {
    machine.devices[1].fault = [](std::vector<PeerWork> work, int) {
      std::erase_if(work, [](const PeerWork& w) { return std::holds_alternative<Await>(w); });
      return work;
    };
    CHECK(wrong_in_rounds(machine, 0) > 0);
  }
  emulation::Peers::most_seconds = before;
}

TEST_CASE("a group of NCCL that loses bytes is refused, and a message that it loses later is found",
          "[cuda][ranks]") {
  EmulatedDevices machine(2);
  REQUIRE(wrong_in_rounds(machine, 1, PeerWay::nccl) == 0);
  // Changes the messages of rank 0 from a list on: the first is that of the trial.
  const auto changed_from = [](int first, const std::function<void(std::vector<GroupMessage>&)>& change) {
    emulation::group_fault = [=, lists = 0](std::vector<GroupMessage> list, int rank) mutable {
      if (rank == 0 && lists++ >= first) change(list);
      return list;
    };
  };
  emulation::most_seconds_of_a_receive = 0.5;
  changed_from(0, [](auto& list) { list[0].send = static_cast<const char*>(list[0].send) + 4; });
  CHECK_THROWS_WITH(wrong_in_rounds(machine, -1, PeerWay::nccl),
                    ContainsSubstring("rank 1 does not get what rank 0 sends by NCCL"));
  changed_from(1, [](auto& list) { std::erase_if(list, [](const GroupMessage& m) { return m.send; }); });
  CHECK_THROWS_WITH(
      wrong_in_rounds(machine, -1, PeerWay::nccl),
      ContainsSubstring("has no message from rank"));  // rank 0 waits for the next one of rank 1
  changed_from(1, [](auto& list) {
    for (GroupMessage& m : list) m.bytes -= 8;
  });
  CHECK_THROWS_WITH(wrong_in_rounds(machine, -1, PeerWay::nccl), ContainsSubstring("bytes where rank"));
  emulation::group_fault = nullptr, emulation::most_seconds_of_a_receive = 30;
}
