// Sums over the devices of ranks, in bricks of the whole domain.
#include <fmt/format.h>

#include <stdexcept>

#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/group_messages.hpp"

namespace cfdmark {
namespace {

Index rows_in(const CellBox& box) { return Index(box.ny) * box.nz; }

// Returns the number of bricks before each rank's, and of all. The cells of a rank are consecutive rows.
std::vector<int> brick_offsets(const Partition& partition) {
  const Grid& whole = partition.whole();
  std::vector<int> offsets = {0};
  Index rows = 0;
  for (int r = 0; r < partition.ranks(); ++r) {
    const CellBox& own = partition.part(r).own;
    if (own.nx != whole.nx || (own.nz > 1 && own.ny != whole.ny))
      throw std::invalid_argument("sums over ranks on cuda need parts of whole rows; use partition=slabs");
    rows += rows_in(own);
    if (r + 1 < partition.ranks() && rows % rows_of_a_brick != 0)
      throw std::invalid_argument(fmt::format(
          "sums over ranks on cuda need cuts at multiples of {} rows, but rank {} ends at row {}; "
          "use fewer ranks or a larger grid",
          rows_of_a_brick, r, rows));
    offsets.push_back(int((rows + rows_of_a_brick - 1) / rows_of_a_brick));
  }
  return offsets;
}

}  // namespace

BrickParts bricks_of(const RowParts& parts) {
  if (const auto* both = parts.complete.target<RowsOrBricks>()) return both->bricks();
  throw std::logic_error("this reduction has no bricks");
}

Step DeviceLinks::share_numbers(const std::vector<SharedNumbers>& lists) const {
  if (way_ == PeerWay::host) return numbers_by_host(*ranks_, *backend_, lists);
  const int rank = ranks_->rank();
  if (way_ == PeerWay::nccl) return numbers_by_group(group_, *backend_, lists, rank, ranks_->count());
  DeviceRound round;
  for (const SharedNumbers& list : lists) {
    std::vector<double*> of_all(counts_of_.size());
    ranks_->gather("preparing a sum", &list.all, sizeof list.all, of_all.data());
    const auto part_of = [&](int owner, int reader) {
      const int first = list.offsets[std::size_t(owner)];
      return GhostCopy{.from_rank = owner,
                       .from = reinterpret_cast<const char*>(of_all[std::size_t(owner)] + first),
                       .to = reinterpret_cast<char*>(of_all[std::size_t(reader)] + first),
                       .row_bytes = std::size_t(list.count_of(owner)) * sizeof(double),
                       .ny = 1,
                       .nz = 1};
    };
    for (int r = 0; r < ranks_->count(); ++r) {
      if (r == rank) continue;
      round.sent.push_back({part_of(rank, r), r});
      round.received.push_back(part_of(r, rank));
    }
  }
  std::vector<PeerWork> work;
  add_round(work, round);
  return peers_of(*backend_).prepare_peers(std::move(work), rank);
}

Step DeviceLinks::reduce(const Partition& partition, const std::vector<RowReduction>& reductions) const {
  const int rank = ranks_->rank(), count = ranks_->count();
  const std::vector<int> bricks_before = brick_offsets(partition);
  std::vector<SharedNumbers> numbers;
  Plan reduce{.memory = {counts_}}, join;
  double bytes = 0;
  for (const auto& [rows, result] : reductions) {
    const BrickParts bricks = bricks_of(rows);
    SharedNumbers& list = numbers.emplace_back();
    list.offsets = bricks_before;
    for (int& offset : list.offsets) offset *= bricks.results_of_a_brick;
    const Buffer memory(*backend_, std::size_t(list.offsets.back()) * sizeof(double));
    list.all = static_cast<double*>(memory.data());
    reduce.memory.push_back(memory);
    reduce.run.emplace_back(bricks.reduce(list.of(rank)));
    join.run.emplace_back(bricks.join(list.all, list.offsets.back(), result));
    bytes += double(list.count_of(rank)) * sizeof(double) * (count - 1);
  }
  CudaBackend& cuda = static_cast<CudaBackend&>(*backend_);
  Step step = cuda.prepare(std::move(reduce));
  if (count > 1) step = in_turn(std::move(step), share_numbers(numbers));
  step = in_turn(std::move(step), cuda.prepare(std::move(join)));
  if (way_ == PeerWay::host) return step;
  step.run = [run = std::move(step.run), ranks = ranks_, bytes] {
    run();
    ranks->note_sum(bytes);
  };
  return step;
}

}  // namespace cfdmark
