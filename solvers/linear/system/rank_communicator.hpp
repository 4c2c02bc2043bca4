// The communication of a linear system whose unknowns are parted between ranks on hosts.
#pragma once

#include "kernels/ranks/ranks.hpp"
#include "solvers/linear/system/level_communicator.hpp"

namespace cfdmark {

// Exchanges ghosts and reduces rows in the order of the whole domain, so that solvers compute the bits of one
// rank. All ranks prepare the same operations in the same order. Throws std::logic_error for a backend whose
// memory the host cannot read.
class RankCommunicator final : public Communicator, public LevelCommunicator {
 public:
  // The ranks must outlive what is prepared. The partition's periodic axes are those of the system.
  RankCommunicator(Ranks& ranks, const Partition& partition) : ranks_(&ranks), partition_(partition) {}

  std::vector<Operation> exchange(const Operations&, const AnyView& field) const override;
  std::optional<Step> reduce_rows(const Operations&,
                                  const std::function<std::vector<RowReduction>()>& of_part) const override;
  std::vector<Operation> sum(const Operations&, double* share) const override;
  Index unknowns() const override { return partition_.whole().cells(); }
  const Partition* partition() const override { return &partition_; }
  int rank() const override { return ranks_->rank(); }
  std::unique_ptr<const Communicator> on(const Partition& other) const override {
    return std::make_unique<const RankCommunicator>(*ranks_, other);
  }
  Operation gather(const Operations&, const AnyView& whole) const override;
  Operation mark_repeated(const Operations&, bool begins) const override;
  Operation gather_on(int rank, const Operations&, const AnyView& whole) const override;
  Operation part_from(int rank, const Operations&, const AnyView& whole) const override;

 private:
  Ranks* ranks_;
  Partition partition_;
};

}  // namespace cfdmark
