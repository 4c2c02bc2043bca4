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

}  // namespace

std::unique_ptr<RankKernelPart> sum_part(Ranks& ranks, const Partition& partition) {
  return std::make_unique<SumPart>(ranks, partition);
}

double sum_bytes(const Grid& grid, int ranks) { return double(rows_in(grid)) * (1 + ranks) * sizeof(double); }

}  // namespace cfdmark
