// NCCL between the CUDA devices of this process. Nothing here needs NCCL's header: the library is opened on
// first use, and builds without the header give the reason.
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

// Bytes that go to another rank or come from it; one of the two addresses is null.
struct NcclMessage {
  int other = 0;  // rank
  const void* send = nullptr;
  void* receive = nullptr;
  std::size_t bytes = 0;
};

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
  NcclCall messages(int rank, std::vector<NcclMessage>) const;
  // Returns a call that replaces each of `count` values by its sum over the ranks, in an order that NCCL
  // chooses.
  NcclCall sum(int rank, double* values, int count) const;

 private:
  std::vector<std::shared_ptr<ncclComm>> ranks_;
};

// Runs calls of several ranks from one thread: NCCL starts none before all are made.
void together(const std::function<void()>& calls);

}  // namespace cfdmark
