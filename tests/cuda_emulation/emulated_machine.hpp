// A machine with several emulated CUDA devices, for tests of ranks.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bench/catalog/kernel_fields.hpp"
#include "kernels/device/backends/stand_in_devices.hpp"
#include "tests/cuda_emulation/emulated_peer_backend.hpp"

namespace cfdmark {

// A device whose messages a fault changes.
class FaultyCuda final : public EmulatedPeerCuda {
 public:
  using EmulatedPeerCuda::EmulatedPeerCuda;
  std::vector<Work> peer_work(const std::vector<PeerWork>& work, int rank, int stream) override {
    return EmulatedPeerCuda::peer_work(fault ? fault(work, rank) : work, rank, stream);
  }
  std::function<std::vector<PeerWork>(std::vector<PeerWork>, int rank)> fault;
};

struct EmulatedDevices {
  explicit EmulatedDevices(int count) {
    std::vector<Backend*> all;
    for (int n = 0; n < count; ++n) all.push_back(&devices.emplace_back(n));
    stand_in = std::make_unique<StandInDevices>(BackendKind::cuda, all);
  }
  ~EmulatedDevices() { release_kept_kernel_fields(); }
  std::deque<FaultyCuda> devices;
  std::unique_ptr<StandInDevices> stand_in;
};

}  // namespace cfdmark
