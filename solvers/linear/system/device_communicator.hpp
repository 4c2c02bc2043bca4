// The communication of a linear system whose unknowns are parted between CUDA devices of one host.
#pragma once

#include <memory>
#include <utility>

#include "kernels/ranks/device_links.hpp"
#include "solvers/linear/system/level_communicator.hpp"

namespace cfdmark {

// Exchanges ghosts, fields of levels and bricks of sums from device to device: no host waits. Solvers compute
// the same bits on any number of ranks. All ranks prepare the same operations in the same order, and their
// parts have whole rows where they sum (DeviceLinks::reduce).
class DeviceCommunicator final : public Communicator, public LevelCommunicator {
 public:
  // Collective. The ranks must outlive what is prepared. Throws what DeviceLinks throws.
  DeviceCommunicator(Ranks& ranks, const Partition& partition, Backend& on, PeerWay way)
      : DeviceCommunicator(ranks, partition, std::make_shared<const DeviceLinks>(ranks, on, way)) {}

  std::vector<Operation> exchange(const Operations&, const AnyView& field) const override;
  std::optional<Step> reduce_rows(const Operations&,
                                  const std::function<std::vector<RowReduction>()>& of_part) const override;
  std::vector<Operation> sum(const Operations&, double* share) const override;
  Index unknowns() const override { return partition_.whole().cells(); }
  const Partition* partition() const override { return &partition_; }
  int rank() const override { return ranks_->rank(); }
  const DeviceLinks& links() const { return *links_; }

  std::unique_ptr<const Communicator> on(const Partition& other) const override;
  Operation gather(const Operations&, const AnyView& whole) const override;
  Operation gather_on(int rank, const Operations&, const AnyView& whole) const override;
  Operation part_from(int rank, const Operations&, const AnyView& whole) const override;
  // Hosts only submit work, so that their time says nothing about repeated levels: nothing is marked.
  Operation mark_repeated(const Operations&, bool begins) const override;

 private:
  DeviceCommunicator(Ranks& ranks, const Partition& partition, std::shared_ptr<const DeviceLinks> links)
      : ranks_(&ranks), partition_(partition), links_(std::move(links)) {}

  Operation messages(const char* routine, const Operations&, const AnyView& whole,
                     const std::vector<DeviceLinks::BoxMessage>&) const;

  Ranks* ranks_;
  Partition partition_;
  std::shared_ptr<const DeviceLinks> links_;  // those of all levels
};

}  // namespace cfdmark
