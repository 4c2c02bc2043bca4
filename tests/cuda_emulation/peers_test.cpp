// Messages between devices: how lists become launches, the device code, and the emulation's checks.
#include <array>

#include "kernels/device/cuda/runtime/cuda.hpp"
#include "kernels/device/cuda/runtime/peer_launch.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_peer_backend.hpp"
#include "tests/without_device.hpp"

using namespace cfdmark;

namespace {

Put store_of(const void* from, void* to, std::size_t bytes) {
  return {.from = static_cast<const char*>(from),
          .to = static_cast<char*>(to),
          .row_bytes = bytes,
          .way = PeerWay::store,
          .to_rank = 1};
}

// Flags and counts of one side.
struct Counts {
  PeerCount flag_there = 0, signals = 0, flag_here = 0, awaits = 0;

  Signal signal() { return {&flag_there, &signals, 1}; }
  Await await() { return {&flag_here, &awaits, 1, "its values are missing"}; }
};

void run_on_device(const PeerBatch& batch, PeerFailure& failure) {
  unsigned arrived = 0;
  EmulatedPeerCuda device;
  device.prepare({.run = {peer_launch(batch, &arrived, &failure, 5, 0.01)}}).run();
  CHECK(arrived == 0);
}

}  // namespace

TEST_CASE("a round between devices is one launch by stores, and two launches around the copies", "[cuda]") {
  Counts one, two;
  double value = 0;
  const Put store = store_of(&value, &value, 8);
  Put copy = store;
  copy.way = PeerWay::copy;
  const auto by_stores = batches_of({one.signal(), one.await(), store, store, two.signal(), two.await()});
  REQUIRE(by_stores.size() == 1);
  CHECK(by_stores[0].signals_before.size() == 1);
  CHECK(by_stores[0].awaits_before.size() == 1);
  CHECK(by_stores[0].stores.size() == 2);
  CHECK(by_stores[0].signals_after.size() == 1);
  CHECK(by_stores[0].awaits_after.size() == 1);
  const auto by_copies = batches_of({one.signal(), one.await(), copy, copy, two.signal(), two.await()});
  REQUIRE(by_copies.size() == 2);
  CHECK(by_copies[0].copies.size() == 2);
  CHECK(by_copies[0].awaits_before.size() == 1);
  CHECK(by_copies[1].signals_before.size() == 1);
  CHECK(by_copies[1].awaits_before.size() == 1);
  // A second round starts a second launch; so does a ninth store.
  CHECK(batches_of({store, one.signal(), one.await(), store}).size() == 2);
  CHECK(batches_of(std::vector<PeerWork>(9, store)).size() == 2);
}

TEST_CASE("the device code stores boxes of words of any width, counts its flags and gives its signals",
          "[cuda]") {
  for (const std::size_t word : {4, 8, 16}) {
    INFO(word);
    constexpr int rows = 3, planes = 2;
    const std::size_t row = 700 * word, pitch = row + word;
    alignas(16) static std::array<char, 70000> from, to;
    for (std::size_t n = 0; n < from.size(); ++n) from[n] = char(n * 7 + n / 251), to[n] = 0;
    Put put = store_of(from.data(), to.data() + word, row);
    put.ny = rows, put.nz = planes;
    put.from_pitch = std::ptrdiff_t(row), put.from_plane = std::ptrdiff_t(rows * row);
    put.to_pitch = std::ptrdiff_t(pitch), put.to_plane = std::ptrdiff_t(rows * pitch);
    if (rows * planes * pitch + word > to.size()) continue;
    Counts may, has;
    PeerFailure failure{-1, 0};
    may.flag_here = has.flag_here = 1;  // the other side has come and written
    const auto batches = batches_of({may.signal(), may.await(), put, has.signal(), has.await()});
    REQUIRE(batches.size() == 1);
    run_on_device(batches[0], failure);
    CHECK(failure.number == -1);
    CHECK(may.flag_there == 1);
    CHECK(has.flag_there == 1);
    CHECK(may.awaits == 1);
    CHECK(has.awaits == 1);
    int wrong = 0;
    for (int k = 0; k < planes; ++k)
      for (int j = 0; j < rows; ++j) {
        const char* const stored = to.data() + word + std::size_t(k * rows + j) * pitch;
        wrong += std::memcmp(stored, from.data() + std::size_t(k * rows + j) * row, row) != 0;
        for (std::size_t n = 0; n < word && (k + 1 < planes || j + 1 < rows); ++n)
          wrong += stored[row + n] != 0;
      }
    CHECK(wrong == 0);
    may.flag_here = has.flag_here = 2;
    run_on_device(batches[0], failure);
    CHECK(has.flag_there == 2);
    CHECK(has.awaits == 2);
  }
}

TEST_CASE("the first flag that is late is noted with its number and round, and the launch goes on",
          "[cuda]") {
  Counts may, has;
  PeerFailure failure{-1, 0};
  double from = 3, to = 0;
  may.awaits = 6, may.flag_here = 7, has.awaits = 6, has.flag_here = 6;
  run_on_device(
      batches_of({may.signal(), may.await(), store_of(&from, &to, 8), has.signal(), has.await()})[0],
      failure);
  CHECK(failure.number == 6);  // the second of awaits 5 and 6
  CHECK(failure.round == 7);
  CHECK(to == 3);
  CHECK(has.flag_there == 1);
}

TEST_CASE("values put to another emulated device are NaN there until the signal behind them", "[cuda]") {
  EmulatedPeerCuda device;
  double from = 3, to = 1;
  Counts one;
  device.prepare_peers({store_of(&from, &to, 8)}, 0).run();
  CHECK(to != to);
  from = 4;  // the value is that of the put
  device.prepare_peers({one.signal()}, 0).run();
  CHECK(to == 3);
  CHECK(one.flag_there == 1);
}

TEST_CASE("when all emulated devices wait the error says who waits for whom, and for what", "[cuda]") {
  EmulatedPeerCuda device;
  device.peer_refusal(device, PeerWay::store);
  Counts one;
  CHECK_THROWS_WITH(device.prepare_peers({one.await()}, 2).run(),
                    "all devices wait: rank 2 waits for rank 1, round 1: its values are missing");
}

TEST_CASE("ways between devices are read from their names, and an unknown one is an error", "[cuda]") {
  for (const PeerWay way : all_peer_ways) CHECK(peer_way_from(to_string(way)) == way);
  CHECK_THROWS_WITH(peer_way_from("rdma"),
                    "unknown way 'rdma' between devices: use copy, store, host or nccl");
}

TEST_CASE("two devices pass the trial of peer access by copies and by stores, or say what they lack",
          "[cuda][gpu]") {
  if (skipped_without_device()) return;
  if (cuda_device_count() < 2) {
    WARN("skipped: there is one device");
    return;
  }
  Backend &first = backend({BackendKind::cuda, 0}), &second = backend({BackendKind::cuda, 1});
  for (const PeerWay way : {PeerWay::copy, PeerWay::store}) {
    INFO(to_string(way));
    CHECK(peers_of(first).peer_refusal(second, way) == "");
    CHECK(peers_of(second).peer_refusal(first, way) == "");
  }
}

TEST_CASE("a device sends itself messages by NCCL, in order", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  Backend& device = backend(BackendKind::cuda);
  PeerBackend& peers = peers_of(device);
  if (const std::string refusal = peers.group_refusal(); !refusal.empty()) {
    WARN("skipped: " << refusal);
    return;
  }
  const auto group = peers.join_group(peers.new_group(), 1, 0);
  const double sent[] = {1, 2, 3};
  double received[] = {0, 0, 0};
  const Buffer out(device, sizeof sent), in(device, sizeof received);
  device.upload(out.data(), sent, sizeof sent);
  const auto at = [](const Buffer& memory, int n) { return static_cast<double*>(memory.data()) + n; };
  const auto call = group->messages({{.other = 0, .send = at(out, 0), .bytes = sizeof(double)},
                                     {.other = 0, .receive = at(in, 0), .bytes = sizeof(double)},
                                     {.other = 0, .send = at(out, 1), .bytes = 2 * sizeof(double)},
                                     {.other = 0, .receive = at(in, 1), .bytes = 2 * sizeof(double)}});
  static_cast<CudaBackend&>(device).prepare(Plan{.run = {HostCall{call}}}).run();
  device.fence();
  device.download(received, in.data(), sizeof received);
  CHECK(received[0] == 1);
  CHECK(received[1] == 2);
  CHECK(received[2] == 3);
}
