// Messages between the CUDA devices of ranks. Of ranks that are threads of one process with a device each,
// devices write to each other's memory and wait by flags, so that no rank's host waits. Or messages go by
// NCCL (group_messages.hpp) or by way of the hosts (host_messages.hpp), of any ranks.
#pragma once

#include <memory>
#include <vector>

#include "kernels/cells/cuda/brick_parts.hpp"
#include "kernels/device/cuda/plan/peer_plan.hpp"
#include "kernels/ranks/ghost_rounds.hpp"
#include "kernels/ranks/host_messages.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Returns a copy as work of a device.
Put put_of(const GhostCopy&);

// Links one rank's device with those of all ranks.
class DeviceLinks {
 public:
  // Collective. Throws std::invalid_argument if two ranks have the same device, or if a device cannot write
  // to another's memory in this way, and std::runtime_error if NCCL fails. By way of hosts, ranks may share a
  // device.
  DeviceLinks(Ranks&, Backend&, PeerWay);

  PeerWay way() const { return way_; }

  struct Exchange {
    Step step;
    ExchangeTraffic traffic;
  };
  // Collective. Prepares what Ranks::exchange does, for a field in the memory of the rank's device.
  Exchange exchange(const Partition&, const AnyView& field) const;
  // Collective. Prepares the copies of overlap_rounds(); `field` has the cells of the rank's part
  // with_overlap().
  Exchange exchange_overlap(const Partition&, int layers, const AnyView& field) const;

  // A round as work on a stream of a plan. The traffic of each run is for Ranks::note_exchange.
  struct Round {
    Plan plan;
    ExchangeTraffic traffic;
  };
  // Collective. Returns what exchange() does as work of a plan. Throws std::invalid_argument if hosts wait in
  // a round.
  Round round(const Partition&, const AnyView& field, int stream) const;

  Backend& backend() const { return *backend_; }
  Ranks& ranks() const { return *ranks_; }

  // A box of cells of a field that a rank sends to the same cells of another rank's field.
  struct BoxMessage {
    int from = 0, to = 0;
    CellBox box;
  };
  // Collective. Prepares messages between fields of one size, of which each rank has one; all ranks name the
  // messages of all, in one order.
  Exchange send_boxes(const AnyView& field, const std::vector<BoxMessage>&) const;

  // Consecutive bytes of a rank's memory that go to another rank or come from it.
  struct Span {
    int rank = 0;
    std::size_t offset = 0, bytes = 0;
  };
  // Collective. Prepares messages of consecutive bytes, at most one each way between two ranks: those at
  // `out` that this rank sends, and those at `in` that it receives, in memory of its device. Throws
  // std::runtime_error on all ranks if one sends another a different number of bytes than that expects.
  Exchange send_spans(const char* out, const std::vector<Span>& sent, char* in,
                      const std::vector<Span>& received) const;

  // Collective. Prepares reductions over the cells of all ranks, with one message to each rank; all get the
  // same bits. Throws std::invalid_argument if a cut is not between bricks.
  Step reduce(const Partition&, const std::vector<RowReduction>&) const;
  // Collective. Prepares that all ranks get the numbers of all, in one message to each rank.
  Step share_numbers(const std::vector<SharedNumbers>&) const;

 private:
  // Returns what this rank sends and receives in rounds, of which each rank gives those of all.
  std::vector<DeviceRound> rounds_of(const std::vector<GhostRounds>&) const;
  std::vector<DeviceRound> ghost_rounds_of(const Partition&, const AnyView& field) const;
  std::vector<AnyView> fields_of_all(const AnyView&) const;
  // Throws on all ranks if two share a device, or if a device cannot write to another's memory.
  void require_peers() const;
  // Adds a round to a list: others may write to this rank's memory, this rank writes what it sends, and what
  // the others send is there.
  void add_round(std::vector<PeerWork>&, const DeviceRound&) const;
  std::vector<PeerWork> work_of(const std::vector<DeviceRound>&) const;
  Exchange prepared(const std::vector<DeviceRound>&) const;
  Signal signal(int to, int kind) const;
  Await await(int from, int kind, const char* what) const;

  Ranks* ranks_;
  Backend* backend_;
  PeerWay way_;
  Buffer counts_;
  std::vector<PeerCount*> counts_of_;       // of each rank, in the memory of its device
  std::shared_ptr<const PeerGroup> group_;  // of NCCL
};

}  // namespace cfdmark
