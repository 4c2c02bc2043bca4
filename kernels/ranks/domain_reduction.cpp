#include "kernels/ranks/domain_reduction.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cfdmark {
namespace {

Index rows_in(const CellBox& box) { return Index(box.ny) * box.nz; }

// Rows that a rank passes on at once, so that the next rank of the same rows works at the same time.
constexpr Index rows_of_message = 64;

}  // namespace

DomainReduction::DomainReduction(Ranks& ranks, const Partition& partition,
                                 std::vector<RowReduction> reductions)
    : ranks_(ranks),
      reductions_(std::move(reductions)),
      rows_(rows_in(partition.part(ranks.rank()).own)),
      cuts_rows_(partition.counts()[0] > 1) {
  const RankPart& part = partition.part(ranks.rank());
  const Grid& whole = partition.whole();
  std::size_t state_bytes = 0;
  for (const RowReduction& one : reductions_) {
    const Grid& grid = one.rows.grid;
    if (grid.nx != part.own.nx || grid.ny != part.own.ny || grid.nz != part.own.nz)
      throw std::invalid_argument("a reduction over ranks runs over the cells of each part");
    state_bytes = std::max(state_bytes, one.rows.state_bytes);
  }
  column_ = part.own.i;
  if (part.own.i > 0) west_ = part.across[0];
  if (part.own.i + part.own.nx < whole.nx) east_ = part.across[1];
  if (cuts_rows_) states_.resize(std::size_t(rows_) * state_bytes);
  for (int r = 0; r < partition.ranks(); ++r) most_ = std::max(most_, rows_in(partition.part(r).own));
  numbers_.resize(std::size_t(most_) * reductions_.size());
  of_all_.resize(numbers_.size() * std::size_t(partition.ranks()));
  order_.resize(std::size_t(whole.ny) * std::size_t(whole.nz));
  for (int r = 0; r < partition.ranks(); ++r) {
    const CellBox& own = partition.part(r).own;
    if (own.i + own.nx < whole.nx) continue;  // the last rank of a row has its result
    for (int k = 0; k < own.nz; ++k)
      for (int j = 0; j < own.ny; ++j)
        order_[std::size_t(Index(own.k + k) * whole.ny + own.j + j)] =
            r * Index(numbers_.size()) + Index(k) * own.ny + j;
  }
}

void DomainReduction::reduce_cut_rows(const RowParts& rows, double* numbers) {
  if (west_ < 0) std::fill(states_.begin(), states_.end(), 0);
  for (Index first = 0; first < rows_; first += rows_of_message) {
    const Index end = std::min(first + rows_of_message, rows_);
    char* const states = states_.data() + std::size_t(first) * rows.state_bytes;
    const std::size_t bytes = std::size_t(end - first) * rows.state_bytes;
    if (west_ >= 0) ranks_.receive(states, bytes, west_);
    rows.add(states_.data(), column_, first, end);
    if (east_ >= 0)
      ranks_.send(states, bytes, east_);
    else
      rows.finish(states_.data(), first, end, numbers);
  }
}

void DomainReduction::run() {
  double* numbers = numbers_.data();
  for (const RowReduction& one : reductions_) {
    if (cuts_rows_)
      reduce_cut_rows(one.rows, numbers);
    else
      one.rows.complete(numbers);
    numbers += most_;
  }
  ranks_.gather("sum", numbers_.data(), numbers_.size() * sizeof(double), of_all_.data());
  const double* of_first_rank = of_all_.data();
  for (const RowReduction& one : reductions_) {
    double total = 0;
    for (const Index place : order_) total = one.rows.join(total, of_first_rank[place]);
    *one.result = total;
    of_first_rank += most_;
  }
}

double DomainReduction::bytes() const {
  double passed = 0;
  for (const RowReduction& one : reductions_)
    if (east_ >= 0) passed += double(rows_) * double(one.rows.state_bytes);
  return passed + double(numbers_.size() * sizeof(double)) * (ranks_.count() - 1);
}

}  // namespace cfdmark
