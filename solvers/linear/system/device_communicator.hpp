// The communication of a linear system whose unknowns are parted between CUDA devices of one host.
#pragma once

#include "kernels/ranks/device_links.hpp"
#include "solvers/linear/system/communicator.hpp"

namespace cfdmark {

// Exchanges ghosts and reduces bricks from device to device: no host waits. Solvers compute the same bits on
// any number of ranks. All ranks prepare the same operations in the same order, and their parts have whole
// rows (DeviceLinks::reduce).
class DeviceCommunicator final : public Communicator {
 public:
  // Collective. The ranks must outlive what is prepared. Throws what DeviceLinks throws.
  DeviceCommunicator(Ranks& ranks, const Partition& partition, Backend& on, PeerWay way)
      : ranks_(&ranks), partition_(partition), links_(ranks, on, way) {}

  std::vector<Operation> exchange(const Operations&, const AnyView& field) const override;
  std::optional<Step> reduce_rows(const Operations&, const std::function<RowParts()>& rows,
                                  double* result) const override;
  std::vector<Operation> sum(const Operations&, double* share) const override;
  Index unknowns() const override { return partition_.whole().cells(); }
  const Partition* partition() const override { return &partition_; }
  int rank() const override { return ranks_->rank(); }

 private:
  Ranks* ranks_;
  Partition partition_;
  DeviceLinks links_;
};

}  // namespace cfdmark
