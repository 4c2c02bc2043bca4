// NCCL between CUDA devices, of this process or of several. Nothing here needs NCCL's header: the library is
// opened on first use, and builds without the header give the reason.
//
// NVLink multicast stays off: NCCL_NVLS_ENABLE=0 is set in this process before the library is opened,
// whatever the environment says.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/plan/peer_plan.hpp"

struct ncclComm;

namespace cfdmark {

// Returns why NCCL cannot be used: no header at build time, no library, or a version before 2.15.1, which
// first supported CUDA graphs. Empty if it can. Opens the library.
std::string nccl_unavailable();
// Returns the version of the header, such as "2.28.9"; empty if built without.
std::string nccl_header_version();
// Returns the version of the opened library. Throws std::runtime_error with nccl_unavailable() if there is
// none.
std::string nccl_version();

// Host code for a HostCall, which gives NCCL's work of one rank to the queue of its device.
using NcclCall = std::function<void(const CudaQueue&)>;

// Communicators of the devices of this process, a rank each, in the order given. Copies share them.
class NcclRanks {
 public:
  // Takes about a second. Throws std::runtime_error with NCCL's message, or nccl_unavailable().
  explicit NcclRanks(const std::vector<int>& devices);

  int count() const { return int(ranks_.size()); }

  // Returns a call that exchanges a rank's messages in one group. Each send needs a receive of as many bytes
  // on the other rank. Ranks of one thread make their calls within together().
  NcclCall messages(int rank, std::vector<GroupMessage>) const;
  // Returns a call that replaces each of `count` values by its sum over the ranks, in an order that NCCL
  // chooses.
  NcclCall sum(int rank, double* values, int count) const;

 private:
  std::vector<std::shared_ptr<ncclComm>> ranks_;
};

// A rank that joins others one by one: ranks of several threads or processes, a device each. Copies share its
// communicator.
class NcclRank final : public PeerGroup {
 public:
  // Throws std::runtime_error with NCCL's message, or nccl_unavailable().
  static GroupId new_id();
  // Joins with the current device, and returns when all have.
  NcclRank(const GroupId&, int count, int rank);

  NcclCall messages(std::vector<GroupMessage>) const override;

 private:
  std::shared_ptr<ncclComm> comm_;
};

// Runs calls of several ranks from one thread: NCCL starts none before all are made.
void together(const std::function<void()>& calls);

}  // namespace cfdmark
