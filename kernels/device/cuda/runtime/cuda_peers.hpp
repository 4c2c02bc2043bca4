// Messages of one CUDA device to others. Used by cuda.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/plan/peer_plan.hpp"
#include "kernels/device/cuda/runtime/peer_exchange.hpp"
#include "kernels/device/cuda/runtime/ready_work.hpp"

namespace cfdmark {

class CudaPeers {
 public:
  // The code's device must be current whenever a member is called.
  explicit CudaPeers(CodeTarget& code) : code_(&code) {}

  // Returns calls that submit the work to a queue. `launches`: set to their number.
  std::vector<std::function<void(const CudaQueue&)>> prepare(const std::vector<PeerWork>&, int rank,
                                                             int& launches);
  // Throws std::runtime_error if an Await has taken too long, once: afterwards nothing that was submitted
  // runs, and later work can wait again.
  void check();
  // See PeerBackend; `other` is the index of a device.
  std::string refusal(int other, PeerWay);

 private:
  std::string trial(int other, PeerWay);
  PeerFailure* failure();

  CodeTarget* code_;
  std::shared_ptr<PeerFailure> failure_;  // in pinned memory; null before the first use
  std::vector<std::string> awaits_;       // descriptions
};

}  // namespace cfdmark
