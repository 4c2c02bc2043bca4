// The latency of a message by NCCL between CUDA devices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/device/library/nccl.hpp"

namespace cfdmark {

class NcclLatency {
 public:
  // The devices must outlive this. NCCL joins them on first use.
  explicit NcclLatency(std::vector<CudaBackend*> devices) : devices_(std::move(devices)) {}

  // Returns the seconds in which two of the devices, by their index in the list, each send and receive 8
  // bytes, in one group on their queues; the median of several batches. Nothing if NCCL cannot do it.
  std::optional<double> seconds(std::size_t first, std::size_t second);

  std::string version() const { return nccl_version(); }
  const std::string& reason() const { return reason_; }  // why there was nothing

 private:
  double measured(std::size_t first, std::size_t second);

  std::vector<CudaBackend*> devices_;
  std::optional<NcclRanks> ranks_;
  std::string reason_;
};

}  // namespace cfdmark
