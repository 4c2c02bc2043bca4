#include "solvers/linear/system/rank_communicator.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "kernels/ranks/domain_reduction.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

Step step_of(std::function<void()> run) {
  Step step;
  step.run = std::move(run);
  return step;
}

void require_host(const Operations& op) {
  if (!op.backend().host_accessible()) throw std::logic_error("ranks exchange values of hosts only");
}

// Calls f(first byte of a row of the box, bytes of the row) for each row of a box of a field.
template <class F>
void for_each_row_of(const AnyView& field, const CellBox& box, const F& f) {
  const Index value = Index(stored_bytes(field.storage));
  for (int k = 0; k < box.nz; ++k)
    for (int j = 0; j < box.ny; ++j)
      f(static_cast<char*>(field.origin) +
            (box.i + (box.j + j) * field.pitch + (box.k + k) * field.plane) * value,
        std::size_t(box.nx * value));
}

std::size_t bytes_of(const AnyView& field, const CellBox& box) {
  return std::size_t(box.cells()) * stored_bytes(field.storage);
}

// Copies a box of a field to contiguous memory, and back.
void pack(const AnyView& field, const CellBox& box, char* to) {
  for_each_row_of(field, box, [&](const char* row, std::size_t n) {
    std::memcpy(to, row, n);
    to += n;
  });
}
void unpack(const char* from, const AnyView& field, const CellBox& box) {
  for_each_row_of(field, box, [&](char* row, std::size_t n) {
    std::memcpy(row, from, n);
    from += n;
  });
}

CellBox whole_of(const Partition& partition) {
  return {.nx = partition.whole().nx, .ny = partition.whole().ny, .nz = partition.whole().nz};
}

// Returns the cost of bytes that are read and written.
Cost copied(std::size_t bytes) {
  Cost cost;
  cost.bytes = 2 * double(bytes);
  return cost;
}

}  // namespace

std::vector<Operation> RankCommunicator::exchange(const Operations& op, const AnyView& field) const {
  require_host(op);
  const std::shared_ptr<GhostExchange> exchange = ranks_->exchange(partition_, field);
  Cost cost;
  cost.bytes = 2 * exchange->traffic().bytes;  // read and written
  return {{"ghosts", &op.backend(), nullptr, step_of([exchange] { exchange->run(); }), cost}};
}

std::optional<Step> RankCommunicator::reduce_rows(
    const Operations& op, const std::function<std::vector<RowReduction>()>& of_part) const {
  require_host(op);
  const auto reduction = std::make_shared<DomainReduction>(*ranks_, partition_, of_part());
  return step_of([reduction] { reduction->run(); });
}

Operation RankCommunicator::gather(const Operations& op, const AnyView& whole) const {
  require_host(op);
  Index most = 0;
  for (int r = 0; r < partition_.ranks(); ++r) most = std::max(most, partition_.part(r).own.cells());
  const std::size_t bytes = std::size_t(most) * stored_bytes(whole.storage);
  Step step = step_of([ranks = ranks_, partition = partition_, whole, bytes, mine = std::vector<char>(bytes),
                       all = std::vector<char>(bytes * std::size_t(ranks_->count()))]() mutable {
    pack(whole, partition.part(ranks->rank()).own, mine.data());
    ranks->gather("field", mine.data(), bytes, all.data());
    for (int r = 0; r < ranks->count(); ++r)
      if (r != ranks->rank()) unpack(all.data() + std::size_t(r) * bytes, whole, partition.part(r).own);
  });
  return {"gather", &op.backend(), nullptr, std::move(step), copied(bytes * std::size_t(partition_.ranks()))};
}

Operation RankCommunicator::gather_on(int to, const Operations& op, const AnyView& whole) const {
  require_host(op);
  Step step =
      step_of([ranks = ranks_, partition = partition_, whole, to, message = std::vector<char>()]() mutable {
        const int mine = ranks->rank();
        for (int r = 0; r < ranks->count(); ++r) {
          if (r == to || (mine != to && mine != r)) continue;
          const CellBox& box = partition.part(r).own;
          message.resize(bytes_of(whole, box));
          if (mine == r) pack(whole, box, message.data()), ranks->send(message.data(), message.size(), to);
          if (mine == to)
            ranks->receive(message.data(), message.size(), r), unpack(message.data(), whole, box);
        }
      });
  return {"gather", &op.backend(), nullptr, std::move(step), copied(bytes_of(whole, whole_of(partition_)))};
}

Operation RankCommunicator::part_from(int from, const Operations& op, const AnyView& whole) const {
  require_host(op);
  Step step =
      step_of([ranks = ranks_, partition = partition_, whole, from, message = std::vector<char>()]() mutable {
        const int mine = ranks->rank();
        for (int r = 0; r < ranks->count(); ++r) {
          if (r == from || (mine != from && mine != r)) continue;
          const CellBox box = with_a_layer(partition.part(r).own, whole.grid.is_3d());
          message.resize(bytes_of(whole, box));
          if (mine == from) pack(whole, box, message.data()), ranks->send(message.data(), message.size(), r);
          if (mine == r)
            ranks->receive(message.data(), message.size(), from), unpack(message.data(), whole, box);
        }
      });
  return {"scatter", &op.backend(), nullptr, std::move(step), copied(bytes_of(whole, whole_of(partition_)))};
}

Operation RankCommunicator::mark_repeated(const Operations& op, bool begins) const {
  return {"repeat",
          &op.backend(),
          nullptr,
          step_of([ranks = ranks_, begins] { ranks->mark_repeated(begins); }),
          {}};
}

std::vector<Operation> RankCommunicator::sum(const Operations& op, double* share) const {
  require_host(op);
  return {{"ranks",
           &op.backend(),
           nullptr,
           step_of([ranks = ranks_, share] {
             std::vector<double> shares(static_cast<std::size_t>(ranks->count()));
             ranks->gather("sum", share, sizeof *share, shares.data());
             *share = 0;
             for (const double of_rank : shares) *share += of_rank;
           }),
           {}}};
}

}  // namespace cfdmark
