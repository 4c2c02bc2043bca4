// The emulated device with messages to others (emulated_peers.hpp). They are host calls of a plan, so that
// they are not part of a captured graph.
#pragma once

#include "kernels/device/cuda/plan/stream_call.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/emulated_group.hpp"
#include "tests/cuda_emulation/emulated_peers.hpp"

namespace cfdmark {

class EmulatedPeerCuda : public EmulatedCuda, public PeerBackend {
 public:
  using EmulatedCuda::EmulatedCuda;
  std::string group_refusal() override { return ""; }
  GroupId new_group() override { return emulation::new_group(); }
  std::shared_ptr<const PeerGroup> join_group(const GroupId& id, int count, int rank) override {
    return emulation::join_group(id, count, rank);
  }
  std::string peer_refusal(Backend&, PeerWay) override {
    peers_.join();
    return "";
  }
  std::shared_ptr<void> host_memory(std::size_t bytes) override {
    return {allocate_host(bytes), release_host};
  }
  Step prepare_peers(std::vector<PeerWork> work, int rank) override {
    return prepare({.run = peer_work(work, rank, 0)});
  }
  std::vector<Work> peer_work(const std::vector<PeerWork>& work, int rank, int stream) override {
    std::vector<Work> calls;
    for (const auto& call : peers_.calls_of(work, rank))
      calls.emplace_back(HostCall{StreamCall{[call](const CudaQueue&) { call(); }, stream}});
    return calls;
  }

 private:
  emulation::Peers peers_;
};

}  // namespace cfdmark
