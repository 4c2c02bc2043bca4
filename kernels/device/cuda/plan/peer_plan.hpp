// Messages between CUDA devices as data: a list of puts, signals and awaits that a device submits to its
// queue, or the emulated device runs. Writing one needs no CUDA header.
//
// A message is a Put followed by a Signal to the device that reads; the reader Awaits the signal before it
// reads. Flags only rise, and each side counts its own, so that a list can be repeated, and replayed from a
// graph.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/core/step.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// How values reach the memory of another device.
//   copy    the copy engines of the device
//   store   a kernel stores them there, and signals in the same launch
//   host    by way of the hosts' memory, which exchange them (kernels/ranks/host_messages.hpp)
//   nccl    NCCL sends and receives them, also between processes and hosts (kernels/ranks/group_messages.hpp)
enum class PeerWay { copy, store, host, nccl };
inline constexpr PeerWay all_peer_ways[] = {PeerWay::copy, PeerWay::store, PeerWay::host, PeerWay::nccl};
std::string_view to_string(PeerWay);
// Returns the way of that name. Throws std::invalid_argument, naming the valid words.
PeerWay peer_way_from(std::string_view word);

using PeerCount = unsigned long long;

// Copies a box of rows, in bytes, to memory of this or another device.
struct Put {
  const char* from = nullptr;
  char* to = nullptr;
  std::size_t row_bytes = 0;
  int ny = 1, nz = 1;
  std::ptrdiff_t from_pitch = 0, from_plane = 0, to_pitch = 0, to_plane = 0;  // bytes
  PeerWay way = PeerWay::copy;
  int to_rank = -1;  // -1: this device; else its memory has the values only after a Signal to that rank

  double bytes() const { return double(row_bytes) * ny * nz; }
};

// Raises a flag of another rank after everything that was submitted before.
struct Signal {
  PeerCount* flag = nullptr;   // in the memory of the reader's device
  PeerCount* count = nullptr;  // signals given so far, in the memory of this device
  int to = 0;                  // rank
};

// Holds back what is submitted after it until a flag has reached the next count.
struct Await {
  PeerCount* flag = nullptr;   // in the memory of this device
  PeerCount* count = nullptr;  // signals awaited so far, in the memory of this device
  int from = 0;                // rank
  const char* what = "";       // what the signal says, for errors
};

using PeerWork = std::variant<Put, Signal, Await>;

// Contiguous bytes of a device that go to another rank of a group or come from it; one address is null.
struct GroupMessage {
  int other = 0;  // rank
  const void* send = nullptr;
  void* receive = nullptr;
  std::size_t bytes = 0;
};

// A rank among others whose devices exchange messages by a library.
class PeerGroup {
 public:
  virtual ~PeerGroup() = default;
  // Returns a call that submits messages, all under way at the same time. Each send needs a receive of as
  // many bytes on the other rank; between two ranks both are in the same order.
  virtual std::function<void(const CudaQueue&)> messages(std::vector<GroupMessage>) const = 0;
};

// Identifies a group. One rank creates it by new_group() and sends it to the others, and all join with it.
using GroupId = std::array<char, 128>;

// Implemented by CUDA backends.
class PeerBackend {
 public:
  virtual ~PeerBackend() = default;

  // Returns why this device can join no group; empty if it can.
  virtual std::string group_refusal() = 0;
  virtual GroupId new_group() = 0;
  // Joins a group of `count` ranks and returns when all have joined. May take about a second. Throws
  // std::runtime_error with the library's message.
  virtual std::shared_ptr<const PeerGroup> join_group(const GroupId&, int count, int rank) = 0;

  // Returns why this device cannot write to the memory of another in this way; empty if it can. Tries it at
  // first use, in memory of its own, and compares every byte.
  virtual std::string peer_refusal(Backend& other, PeerWay) = 0;
  // Returns memory of the host from and to which a Put may copy.
  virtual std::shared_ptr<void> host_memory(std::size_t bytes) = 0;
  // Returns a step that submits the work in this order; `rank` names this side in errors. An Await that
  // takes longer than 10 s ends and is an error of the next run or fence.
  virtual Step prepare_peers(std::vector<PeerWork>, int rank) = 0;
  // Returns the same as work of a plan on one of its streams.
  virtual std::vector<Work> peer_work(const std::vector<PeerWork>&, int rank, int stream) = 0;
};

// Returns the interface of a backend. Throws std::invalid_argument for a backend without peers.
PeerBackend& peers_of(Backend&);

// Most signals, awaits and puts that one launch takes (peer_exchange.cuh); longer lists take several.
inline constexpr int most_in_a_batch = 8;

// Work of one launch: first signals, then awaits, then puts, then signals and awaits. A batch ends where the
// list goes back to an earlier kind, at a put by the copy engines, and where one kind is full.
struct PeerBatch {
  std::vector<Signal> signals_before = {}, signals_after = {};
  std::vector<Await> awaits_before = {}, awaits_after = {};
  std::vector<Put> stores = {}, copies = {};  // copies: submitted behind the launch

  bool has_launch() const {
    return !(signals_before.empty() && signals_after.empty() && awaits_before.empty() &&
             awaits_after.empty() && stores.empty());
  }
};
std::vector<PeerBatch> batches_of(const std::vector<PeerWork>&);

}  // namespace cfdmark
