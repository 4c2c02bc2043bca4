// Ranks on several CUDA devices: emulated, and on real ones where there are two.
#include <atomic>

#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"
#include "tests/ranks/partitions.hpp"
#include "tests/ranks/wrong_ghosts.hpp"

using namespace cfdmark;

namespace {

// Ranks whose exchanges are those of emulated devices, whose memory is that of the host.
class OverDevices final : public Ranks {
 public:
  OverDevices(Ranks& ranks, Backend& on, PeerWay way) : ranks_(ranks), links_(ranks, on, way) {}
  int rank() const override { return ranks_.rank(); }
  int count() const override { return ranks_.count(); }
  double waited() const override { return ranks_.waited(); }
  void gather(const char* what, const void* mine, std::size_t bytes, void* of_all) override {
    ranks_.gather(what, mine, bytes, of_all);
  }
  void send(const void* data, std::size_t bytes, int to) override { ranks_.send(data, bytes, to); }
  void receive(void* data, std::size_t bytes, int from) override { ranks_.receive(data, bytes, from); }
  std::unique_ptr<GhostExchange> exchange(const Partition& partition, const AnyView& field) override {
    struct Exchange final : GhostExchange {
      explicit Exchange(DeviceLinks::Exchange of) : made(std::move(of)) {}
      void run() override { made.step.run(); }
      const ExchangeTraffic& traffic() const override { return made.traffic; }
      DeviceLinks::Exchange made;
    };
    return std::make_unique<Exchange>(links_.exchange(partition, field));
  }

 private:
  Ranks& ranks_;
  DeviceLinks links_;
};

int wrong_ghosts_on_devices(const Partition& partition, FieldPlace place, int layers, PeerWay way) {
  EmulatedDevices machine(partition.ranks());
  std::atomic<int> wrong = 0;
  on_thread_ranks(partition.ranks(), [&](Ranks& ranks) {
    OverDevices over(ranks, machine.devices[std::size_t(ranks.rank())], way);
    wrong += wrong_ghosts(over, partition, place, layers, Precision::fp64);
  });
  return wrong;
}

const Config replaced{{"check_interval", 4}, {"replace", 8}};

const std::vector<RankedDevices> cases = {
    {"jacobi", "plain", "manufactured", {37, 29}},
    {"jacobi", "column", "manufactured", {37, 29}},
    {"jacobi", "plain", "jump", {21, 26}},
    {"jacobi", "plain", "manufactured", {11, 8, 9}},
    {"sor", "plain", "manufactured", {37, 29}},
    {"sor", "plain", "manufactured", {11, 8, 9}, Precision::fp32},
    {"cg", "textbook", "manufactured", {37, 29}},
    {"cg", "textbook", "jump", {21, 26}},
    {"cg", "textbook", "periodic_channel", {20, 24}},
    {"cg", "textbook", "manufactured", {11, 8, 9}},
    {"cg", "textbook", "manufactured", {37, 29}, Precision::mixed},
    {"cg", "fused", "manufactured", {37, 29}},
    {"cg", "fused", "manufactured", {301, 41}, Precision::fp32},
    {"cg", "fused", "jump", {21, 26}},
    {"cg", "one_sum", "manufactured", {37, 29}, Precision::fp64, replaced},
    {"cg", "one_sum", "jump", {21, 26}, Precision::fp32, replaced},
    {"cg", "pipelined", "manufactured", {37, 29}, Precision::fp64, replaced},
    {"cg", "pipelined", "periodic_channel", {20, 24}, Precision::fp64, replaced},
    {"pcg", "textbook", "jump", {21, 26}},
    {"bicgstab", "textbook", "convection", {21, 26}},
};

}  // namespace

TEST_CASE("every ghost of emulated devices holds its owner's value, by copies and by stores",
          "[cuda][ranks]") {
  int exchanges = 0;
  for (const PeerWay way : all_peer_ways)
    for (const Grid& whole : {Grid{9, 11}, Grid{6, 7, 9}})
      for (const bool periodic : {false, true})
        for (int layers : {1, 2})
          for_each_partition(
              whole, 4, 1, {periodic, periodic, periodic && whole.is_3d()}, [&](const Partition& p) {
                for (int d = 0; d < 3; ++d)
                  if (p.counts()[d] > 1 && p.thinnest(d) < layers) return;
                INFO(p.counts()[0] << "x" << p.counts()[1] << "x" << p.counts()[2] << ", " << layers);
                CHECK(wrong_ghosts_on_devices(p, FieldPlace::cell, layers, way) == 0);
                ++exchanges;
              });
  CHECK(exchanges > 60);
}

TEST_CASE("solvers on 2 and 3 emulated devices compute every bit that they compute on one", "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const RankedDevices& c : cases) {
    const Solved one = solved_on(c, 1, PeerWay::store, machine.devices[0]);
    for (const PeerWay way : all_peer_ways)
      for (int ranks : {2, 3}) {
        if (c.grid.is_3d() && ranks == 3) continue;  // parts need 8 rows
        INFO(name_of(c) << " on " << ranks << " by " << to_string(way));
        CHECK(difference_from(one, c, ranks, way, machine.devices[0]) == "");
      }
  }
}

// Sums have another order there; a relaxation has none.
TEST_CASE(
    "relaxations on emulated devices leave the bits of the method without ranks, and others its residuals",
    "[cuda][ranks]") {
  EmulatedDevices machine(2);
  for (const RankedDevices& c : cases) {
    if (c.precision == Precision::mixed) continue;
    INFO(name_of(c));
    const Solved one = solved_without_ranks(c, machine.devices[0]);
    const Solved two = solved_on(c, 2, PeerWay::store, machine.devices[0]);
    if (c.solver == std::string("jacobi") || c.solver == std::string("sor"))
      CHECK(difference_of(two.u, one.u) == "");
    REQUIRE(two.outcome.history.size() == one.outcome.history.size());
    for (std::size_t n = 0; n < one.outcome.history.size(); ++n)
      CHECK(two.outcome.history[n].second ==
            Approx(one.outcome.history[n].second).epsilon(c.precision == Precision::fp64 ? 1e-10 : 1e-4));
  }
}

TEST_CASE("more ranks than devices are refused with both numbers, and so are two ranks on one device",
          "[cuda][ranks]") {
  EmulatedDevices machine(2);
  CHECK_THROWS_WITH(solved_on(cases[0], 3, PeerWay::store, machine.devices[0]),
                    "3 ranks need 3 CUDA devices from cuda on, but this machine has 2");
  CHECK_THROWS_WITH(solved_on(cases[0], 2, PeerWay::store, machine.devices[1]),
                    "2 ranks need 2 CUDA devices from cuda:1 on, but this machine has 1");
  CHECK_THROWS_WITH(
      on_thread_ranks(2, [&](Ranks& ranks) { DeviceLinks(ranks, machine.devices[0], PeerWay::copy); }),
      ContainsSubstring("rank 1 has cuda too: each rank needs a device of its own"));
  CHECK_THROWS_WITH(
      on_thread_ranks(2, [&](Ranks& ranks) { DeviceLinks(ranks, machine.devices[0], PeerWay::nccl); }),
      ContainsSubstring("ranks 0 and 1 have one device"));
}

TEST_CASE("sums over parts without whole rows are refused on ranks of cuda", "[cuda][ranks]") {
  EmulatedDevices machine(2);
  const RankedDevices c = cases[0];
  const SolverMethod pencils = on_ranks(
      on_ranks_of(BackendKind::cuda, method_named(solver_named("cg"), BackendKind::cuda, "textbook"), {}), 2,
      PartShape::from("2x1"));
  CHECK_THROWS_WITH(solve("cg", pencils, machine.devices[0], c.precision, posed(c.problem, c.grid), {}),
                    ContainsSubstring("need parts of whole rows; use partition=slabs"));
}

TEST_CASE("solvers on two devices compute every bit that they compute on one", "[cuda][ranks][gpu]") {
  if (skipped_without_two_devices()) return;
  Backend& first = backend(BackendKind::cuda);
  for (RankedDevices c : cases) {
    c.iterations = 400;
    for (const bool is_large : {false, true}) {
      if (is_large) c.grid = c.grid.is_3d() ? Grid{130, 64, 96} : Grid{1031, 1024};
      const Solved one = solved_on(c, 1, PeerWay::store, first);
      for (const PeerWay way : ways_of(first)) {
        INFO(name_of(c) << " by " << to_string(way));
        CHECK(difference_from(one, c, 2, way, first) == "");
      }
    }
  }
}

TEST_CASE(
    "solvers on two queues of one device, by way of the host, compute every bit that one queue computes",
    "[cuda][ranks][gpu]") {
  if (skipped_without_device()) return;
  Backend& device = backend(BackendKind::cuda);
  const std::unique_ptr<Backend> other = new_queue(device.id());
  const StandInDevices two(BackendKind::cuda, {&device, other.get()});
  for (RankedDevices c : cases) {
    c.iterations = 100;
    INFO(name_of(c));
    CHECK(difference_from(solved_on(c, 1, PeerWay::store, device), c, 2, PeerWay::host, device) == "");
  }
}
