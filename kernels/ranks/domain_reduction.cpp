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

DomainReduction::DomainReduction(Ranks& ranks, const Partition& partition, RowParts rows, double* result)
    : ranks_(ranks), rows_(std::move(rows)), result_(result) {
  const RankPart& part = partition.part(ranks.rank());
  const Grid& whole = partition.whole();
  if (rows_.grid.nx != part.own.nx || rows_.grid.ny != part.own.ny || rows_.grid.nz != part.own.nz)
    throw std::invalid_argument("a reduction over ranks runs over the cells of each part");
  column_ = part.own.i;
  if (part.own.i > 0) west_ = part.across[0];
  if (part.own.i + part.own.nx < whole.nx) east_ = part.across[1];
  if (partition.counts()[0] > 1) states_.resize(std::size_t(rows_in(part.own)) * rows_.state_bytes);
  Index most = 0;
  for (int r = 0; r < partition.ranks(); ++r) most = std::max(most, rows_in(partition.part(r).own));
  numbers_.resize(std::size_t(most));
  of_all_.resize(std::size_t(most * partition.ranks()));
  order_.resize(std::size_t(whole.ny) * std::size_t(whole.nz));
  for (int r = 0; r < partition.ranks(); ++r) {
    const CellBox& own = partition.part(r).own;
    if (own.i + own.nx < whole.nx) continue;  // the last rank of a row has its result
    for (int k = 0; k < own.nz; ++k)
      for (int j = 0; j < own.ny; ++j)
        order_[std::size_t(Index(own.k + k) * whole.ny + own.j + j)] = r * most + Index(k) * own.ny + j;
  }
}

void DomainReduction::reduce_cut_rows() {
  const Index rows = rows_in({.ny = rows_.grid.ny, .nz = rows_.grid.nz});
  if (west_ < 0) std::fill(states_.begin(), states_.end(), 0);
  for (Index first = 0; first < rows; first += rows_of_message) {
    const Index end = std::min(first + rows_of_message, rows);
    char* const states = states_.data() + std::size_t(first) * rows_.state_bytes;
    const std::size_t bytes = std::size_t(end - first) * rows_.state_bytes;
    if (west_ >= 0) ranks_.receive(states, bytes, west_);
    rows_.add(states_.data(), column_, first, end);
    if (east_ >= 0)
      ranks_.send(states, bytes, east_);
    else
      rows_.finish(states_.data(), first, end, numbers_.data());
  }
}

void DomainReduction::run() {
  if (states_.empty())
    rows_.complete(numbers_.data());
  else
    reduce_cut_rows();
  ranks_.gather("sum", numbers_.data(), numbers_.size() * sizeof(double), of_all_.data());
  double total = 0;
  for (const Index place : order_) total = rows_.join(total, of_all_[std::size_t(place)]);
  *result_ = total;
}

double DomainReduction::bytes() const {
  const double passed = east_ >= 0 ? double(states_.size()) : 0;
  return passed + double(numbers_.size() * sizeof(double)) * (ranks_.count() - 1);
}

}  // namespace cfdmark
