#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/cells/row_parts.hpp"
#include "kernels/ranks/domain_reduction.hpp"
#include "kernels/sum_over_ranks/sum_over_ranks.hpp"

namespace cfdmark {
namespace {

// As many partial results as a row of a real reduction has.
constexpr std::size_t state_numbers = 32;

// Returns the number of a row of the domain. The sum of many depends on their order.
double number_of(Index row) { return 1.0 / double(row + 1); }

double plus(double a, double b) { return a + b; }

Index rows_in(const Grid& g) { return Index(g.ny) * g.nz; }
Index rows_in(const CellBox& box) { return Index(box.ny) * box.nz; }

class SumPart final : public RankKernelPart {
 public:
  SumPart(Ranks& ranks, const Partition& partition)
      : grid_(partition.local(ranks.rank(), 1)),
        whole_(partition.whole()),
        ranks_(ranks.count()),
        numbers_(static_cast<std::size_t>(rows_in(grid_))),
        reduction_(ranks, partition, {{rows(), &sum_}}) {
    const CellBox& own = partition.part(ranks.rank()).own;
    for (int k = 0; k < own.nz; ++k)
      for (int j = 0; j < own.ny; ++j)
        numbers_[std::size_t(k) * std::size_t(own.ny) + std::size_t(j)] =
            number_of(Index(own.k + k) * whole_.ny + own.j + j);
  }
  SumPart(const SumPart&) = delete;  // the reduction refers to this object

  void load() override { sum_ = std::numeric_limits<double>::quiet_NaN(); }
  void run() override { reduction_.run(); }

  std::string difference() const override {
    double expected = 0;
    for (Index row = 0; row < rows_in(whole_); ++row) expected += number_of(row);
    return sum_ == expected ? "" : fmt::format("the sum is {}, not {}", sum_, expected);
  }

  Cost cost() const override {
    Cost cost;
    cost.cells = double(rows_in(whole_));
    cost.bytes = sum_bytes() + cost.cells * sizeof(double);  // sent, and read to add
    cost.flops = cost.cells;
    return cost;
  }
  double sum_bytes() const override { return reduction_.bytes(); }
  double field_bytes() const override { return cfdmark::sum_bytes(whole_, ranks_) / ranks_; }

 private:
  // Returns a reduction whose results of rows are there.
  RowParts rows() {
    return {.grid = grid_,
            .state_bytes = state_numbers * sizeof(double),
            .complete = [this](double* to) { std::copy(numbers_.begin(), numbers_.end(), to); },
            .add =
                [this](void* states, int column, Index first, Index end) {
                  if (column > 0) return;  // the rank to the west has added them
                  for (Index row = first; row < end; ++row)
                    static_cast<double*>(states)[std::size_t(row) * state_numbers] =
                        numbers_[std::size_t(row)];
                },
            .finish =
                [](const void* states, Index first, Index end, double* numbers) {
                  for (Index row = first; row < end; ++row)
                    numbers[row] = static_cast<const double*>(states)[std::size_t(row) * state_numbers];
                },
            .join = plus};
  }

  Grid grid_, whole_;
  int ranks_;
  std::vector<double> numbers_;  // of this rank's rows
  double sum_ = 0;
  DomainReduction reduction_;
};

// The messages of a sum between devices, without the launch that then adds the numbers: one device alone
// makes that launch too.
class SharePart final : public RankKernelPart {
 public:
  SharePart(Ranks& ranks, const RankPlace& place, const Partition& partition)
      : whole_(partition.whole()), rank_(ranks.rank()), on_(place.on), memory_(place.on, bytes()) {
    numbers_.all = static_cast<double*>(memory_.data());
    numbers_.offsets = {0};
    for (int r = 0; r < partition.ranks(); ++r)
      numbers_.offsets.push_back(numbers_.offsets.back() + int(rows_in(partition.part(r).own)));
    load();
    if (ranks.count() > 1) share_ = place.links->share_numbers({numbers_});
    sent_ = double(numbers_.count_of(rank_)) * sizeof(double) * (ranks.count() - 1);
  }

  void load() override {
    std::vector<double> start(std::size_t(rows_in(whole_)), std::numeric_limits<double>::quiet_NaN());
    const int first = numbers_.offsets[std::size_t(rank_)];
    for (int row = first; row < first + numbers_.count_of(rank_); ++row)
      start[std::size_t(row)] = number_of(row);
    wait();
    on_.upload(numbers_.all, start.data(), bytes());
  }
  void run() override {
    if (share_.run) share_.run();
  }
  void wait() override { on_.fence(); }

  std::string difference() const override {
    std::vector<double> found(std::size_t(rows_in(whole_)));
    on_.fence();
    on_.download(found.data(), numbers_.all, bytes());
    for (std::size_t row = 0; row < found.size(); ++row)
      if (found[row] != number_of(Index(row)))
        return fmt::format("the number of row {} is {}, not {}", row, found[row], number_of(Index(row)));
    return "";
  }

  Cost cost() const override {
    Cost cost;
    cost.cells = double(rows_in(whole_));
    cost.bytes = sent_;
    return cost;
  }
  double sum_bytes() const override { return sent_; }
  double field_bytes() const override { return double(bytes()); }

 private:
  std::size_t bytes() const { return std::size_t(rows_in(whole_)) * sizeof(double); }

  Grid whole_;
  int rank_;
  Backend& on_;
  Buffer memory_;
  SharedNumbers numbers_;
  Step share_;
  double sent_ = 0;
};

}  // namespace

std::unique_ptr<RankKernelPart> sum_part(Ranks& ranks, const RankPlace& place, const Partition& partition) {
  if (place.links) return std::make_unique<SharePart>(ranks, place, partition);
  return std::make_unique<SumPart>(ranks, partition);
}

double sum_bytes(const Grid& grid, int ranks) { return double(rows_in(grid)) * (1 + ranks) * sizeof(double); }

}  // namespace cfdmark
