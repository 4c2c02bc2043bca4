// A communicator with one planted fault, to show that the tests of ranks find it.
#pragma once

#include <vector>

#include "kernels/ranks/domain_reduction.hpp"
#include "solvers/linear/system/operations.hpp"
#include "solvers/linear/system/rank_communicator.hpp"

namespace cfdmark {

enum class PlantedFault {
  none,
  dropped,            // one message does not arrive: the ghosts of a side keep their values once
  of_last_step,       // ghosts are those of the exchange before
  wrong_side,         // the values of one side lie beyond the opposite side
  one_layer_off,      // ghosts hold this rank's own first layer
  one_corner_short,   // the first ghost of a side is not filled
  first_field,        // all exchanges fill the ghosts of the first field that was prepared
  old_share,          // a rank adds the result of its rows of the last sum
  sum_in_rank_order,  // ranks add their own sums
  gather_dropped,     // one gathered field has only this rank's new cells
  part_dropped,       // one part of a gathered field does not arrive
  part_without_edge,  // the layer around such a part is not filled
  gather_swapped,     // gathered fields have the first two cells of another rank's first row swapped
};

// A side of a field that lies across a cut: its ghosts, and the cells next to them.
struct SideOfCut {
  AnyView field;
  int side = -1;  // -1: no cut

  int count() const {
    const Grid& g = field.grid;
    return side < 2 ? g.ny : g.nx;
  }
  // Returns value n along the side, in layer -1 (the ghosts), 0 (the first own cells), ...
  double& at(int n, int layer) const {
    const Grid& g = field.grid;
    const int across = side % 2 ? (side < 2 ? g.nx : g.ny) - 1 - layer : layer;
    return side < 2 ? field.as<double>()(across, n) : field.as<double>()(n, across);
  }
  std::vector<double> ghosts() const {
    std::vector<double> values;
    for (int n = 0; n < count(); ++n) values.push_back(at(n, -1));
    return values;
  }
  void set_ghosts(const std::vector<double>& values) const {
    for (int n = 0; n < count(); ++n) at(n, -1) = values[std::size_t(n)];
  }
};

// Works on planes in 64 bits. Rank 1 has the fault, all ranks with sum_in_rank_order and first_field.
class FaultyCommunicator final : public Communicator, public LevelCommunicator {
 public:
  FaultyCommunicator(Ranks& ranks, const Partition& partition, PlantedFault fault)
      : ranks_(&ranks), partition_(partition), right_(ranks, partition), fault_(fault) {}

  std::vector<Operation> exchange(const Operations& op, const AnyView& field) const override {
    std::vector<Operation> operations = right_.exchange(op, field);
    if (fault_ == PlantedFault::first_field) {
      if (!first_) first_ = operations.front().step.run;
      operations.front().step.run = first_;
    }
    if (ranks_->rank() != 1) return operations;
    auto& run = operations.front().step.run;
    run = [this, run, side = side_of_cut(field), before = std::vector<double>(), count = 0]() mutable {
      const std::vector<double> old = side.ghosts();
      run();
      spoil(side, old, before, ++count);
    };
    return operations;
  }

  std::optional<Step> reduce_rows(const Operations& op,
                                  const std::function<std::vector<RowReduction>()>& of_part) const override {
    if (fault_ == PlantedFault::sum_in_rank_order) return {};
    return right_.reduce_rows(op, [&] {
      std::vector<RowReduction> all = of_part();
      if (fault_ == PlantedFault::old_share && ranks_->rank() == 1)
        for (RowReduction& one : all) one.rows = with_old(one.rows);
      return all;
    });
  }
  std::vector<Operation> sum(const Operations& op, double* share) const override {
    return right_.sum(op, share);
  }
  Index unknowns() const override { return right_.unknowns(); }
  const Partition* partition() const override { return &partition_; }
  int rank() const override { return ranks_->rank(); }
  std::unique_ptr<const Communicator> on(const Partition& other) const override {
    return std::make_unique<const FaultyCommunicator>(*ranks_, other, fault_);
  }
  Operation gather(const Operations& op, const AnyView& whole) const override {
    Operation gather = right_.gather(op, whole);
    if (ranks_->rank() != 1) return gather;
    gather.step.run = [run = gather.step.run, whole, first = partition_.part(0).own, fault = fault_,
                       all = whole_box(), count = 0]() mutable {
      const Cells before(whole);
      run();
      if (fault == PlantedFault::gather_dropped && ++count == 3) before.restore_where(all, true);
      const View<double> cells = whole.as<double>();
      if (fault == PlantedFault::gather_swapped && first.nx > 1)
        std::swap(cells(first.i, first.j), cells(first.i + 1, first.j));
    };
    return gather;
  }

  Operation gather_on(int rank, const Operations& op, const AnyView& whole) const override {
    Operation gather = right_.gather_on(rank, op, whole);
    if (ranks_->rank() != rank) return gather;
    gather.step.run = [=, fault = fault_, run = gather.step.run, of_1 = partition_.part(1).own,
                       first = partition_.part(0).own, count = 0]() mutable {
      const Cells before(whole);
      run();
      if (fault == PlantedFault::gather_dropped && ++count == 3) before.restore_where(of_1, true);
      if (fault == PlantedFault::gather_swapped && first.nx > 1)
        std::swap(whole.as<double>()(0, 0), whole.as<double>()(1, 0));
    };
    return gather;
  }
  Operation mark_repeated(const Operations& op, bool begins) const override {
    return right_.mark_repeated(op, begins);
  }
  Operation part_from(int rank, const Operations& op, const AnyView& whole) const override {
    Operation part = right_.part_from(rank, op, whole);
    if (ranks_->rank() != 1) return part;
    part.step.run = [=, fault = fault_, run = part.step.run, own = partition_.part(1).own,
                     count = 0]() mutable {
      const Cells before(whole);
      run();
      if (fault == PlantedFault::part_dropped && ++count == 3) before.restore_where(own, true);
      if (fault == PlantedFault::part_without_edge) before.restore_where(own, false);
    };
    return part;
  }

 private:
  // A copy of the cells of a field.
  class Cells {
   public:
    explicit Cells(const AnyView& field) : cells_(field.as<double>()) {
      for (int j = 0; j < cells_.ny; ++j)
        for (int i = 0; i < cells_.nx; ++i) values_.push_back(cells_(i, j));
    }
    // Writes back the cells inside a box, or those outside.
    void restore_where(const CellBox& box, bool inside) const {
      for (int j = 0; j < cells_.ny; ++j)
        for (int i = 0; i < cells_.nx; ++i)
          if (box.has(i, j, 0) == inside) cells_(i, j) = values_[std::size_t(j * cells_.nx + i)];
    }

   private:
    View<double> cells_;
    std::vector<double> values_;
  };

  CellBox whole_box() const { return {.nx = partition_.whole().nx, .ny = partition_.whole().ny}; }
  SideOfCut side_of_cut(const AnyView& field) const {
    const RankPart& part = partition_.part(ranks_->rank());
    for (int side = 0; side < 4; ++side)
      if (part.across[side] >= 0) return {field, side};
    return {field, -1};
  }

  void spoil(const SideOfCut& side, const std::vector<double>& old, std::vector<double>& before,
             int count) const {
    using enum PlantedFault;
    const std::vector<double> now = side.ghosts();
    if (fault_ == dropped && count == 3) side.set_ghosts(old);
    if (fault_ == of_last_step && !before.empty()) side.set_ghosts(before);
    if (fault_ == wrong_side) {
      side.set_ghosts(old);
      SideOfCut{side.field, side.side ^ 1}.set_ghosts(now);
    }
    for (int n = 0; fault_ == one_layer_off && n < side.count(); ++n) side.at(n, -1) = side.at(n, 0);
    if (fault_ == one_corner_short) side.at(0, -1) = old[0];
    before = now;
  }

  // Returns the reduction, whose results are those of the run before from the third on.
  static RowParts with_old(RowParts rows) {
    rows.complete = [complete = rows.complete, before = std::vector<double>(), count = 0,
                     n = std::size_t(rows.grid.ny) * std::size_t(rows.grid.nz)](double* numbers) mutable {
      complete(numbers);
      std::vector<double> now(numbers, numbers + n);
      if (++count >= 3) std::copy(before.begin(), before.end(), numbers);
      before = std::move(now);
    };
    rows.add = [add = rows.add, count = 0](void* states, int column, Index first, Index end) mutable {
      if (++count != 3) add(states, column, first, end);
    };
    return rows;
  }

  Ranks* ranks_;
  Partition partition_;
  RankCommunicator right_;
  PlantedFault fault_;
  mutable std::function<void()> first_;
};

}  // namespace cfdmark
