// Sums over ranks in the order of the domain, on numbers whose order matters.
#include <numeric>

#include "kernels/ranks/domain_reduction.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A reduction whose rows have given results, or whose cells do: the state of a row is their sum from the
// left.
RowParts rows_with(const Grid& local, const std::vector<double>& values, Index first_value) {
  RowParts rows;
  rows.grid = local;
  rows.state_bytes = sizeof(double);
  rows.complete = [=](double* numbers) {
    for (Index row = 0; row < Index(local.ny) * local.nz; ++row)
      numbers[row] = values[std::size_t(first_value + row)];
  };
  rows.add = [=](void* states, int column, Index first, Index end) {
    for (Index row = first; row < end; ++row)
      for (int i = 0; i < local.nx; ++i) static_cast<double*>(states)[row] += values[std::size_t(column + i)];
  };
  rows.finish = [](const void* states, Index first, Index end, double* numbers) {
    for (Index row = first; row < end; ++row) numbers[row] = static_cast<const double*>(states)[row];
  };
  rows.join = [](double a, double b) { return a + b; };
  return rows;
}

// Returns the sums that the ranks get.
std::vector<double> sums(const Grid& whole, int ranks, const char* shape, const std::vector<double>& values) {
  const Partition partition = Partition::of(whole, ranks, PartShape::from(shape));
  std::vector<double> results(static_cast<std::size_t>(ranks));
  on_thread_ranks(ranks, [&](Ranks& all) {
    const CellBox& own = partition.part(all.rank()).own;
    DomainReduction sum(all, partition,
                        {{rows_with(partition.local(all.rank(), 1), values, own.j + Index(own.k) * whole.ny),
                          &results[std::size_t(all.rank())]}});
    for (int run = 0; run < 3; ++run) sum.run();
  });
  return results;
}

}  // namespace

// 1e16 + 1 is 1e16 in 64 bits, so ((1e16 + 1) - 1e16) + 1 is 1, but (1e16 + 1) + (-1e16 + 1) is 0.
TEST_CASE("rows are added in the order of the domain on every rank, not by rank", "[ranks]") {
  const std::vector<double> rows{1e16, 1, -1e16, 1};
  CHECK((rows[0] + rows[1]) + (rows[2] + rows[3]) == 0);
  for (const auto& [ranks, shape] : {std::pair{1, "1x1"}, {2, "1x2"}, {4, "1x4"}})
    CHECK(sums({5, 4}, ranks, shape, rows) == std::vector<double>(std::size_t(ranks), 1));
}

// The rows of rank 0 are 0, 1, 4 and 5: those of two planes.
TEST_CASE("rows of pencils are added plane by plane", "[ranks]") {
  const std::vector<double> rows{1e16, 1, 1, -1e16, 3, 1e16, 1, -1e16};
  CHECK(std::accumulate(rows.begin(), rows.end(), 0.0) == 4);
  CHECK(sums({3, 4, 2}, 2, "1x2x1", rows) == std::vector<double>(2, 4));
  CHECK(sums({3, 4, 2}, 4, "1x2x2", rows) == std::vector<double>(4, 4));
}

// Of a row 1e16, 1, -1e16, 1 the first of two ranks has 1e16, which the second continues to 1.
TEST_CASE("a row that is cut is continued from the rank to its west, for any number of rows", "[ranks]") {
  const std::vector<double> cells{1e16, 1, -1e16, 1};
  for (const int rows : {1, 63, 64, 65, 200})
    for (const auto& [ranks, shape] : {std::pair{2, "2x1"}, {4, "4x1"}})
      CHECK(sums({4, rows}, ranks, shape, cells) == std::vector<double>(std::size_t(ranks), rows));
}

TEST_CASE("a reduction over other cells than a rank's own is refused", "[ranks]") {
  const Partition partition = Partition::of({4, 4}, 1, PartShape::from("slabs"));
  double result = 0;
  CHECK_THROWS_WITH(
      on_thread_ranks(1,
                      [&](Ranks& ranks) {
                        DomainReduction(ranks, partition, {{rows_with({5, 4}, {}, 0), &result}});
                      }),
      ContainsSubstring("runs over the cells of each part"));
}
