// The parts of a domain: every cell has one owner, and cuts lie where the rules say.
#include <algorithm>
#include <vector>

#include "kernels/core/partition.hpp"
#include "kernels/device/field.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/partitions.hpp"

using namespace cfdmark;

namespace {

std::vector<int> first_rows(const Partition& p) {
  std::vector<int> rows;
  for (int r = 0; r < p.ranks(); ++r) rows.push_back(p.part(r).own.j);
  return rows;
}

std::array<int, 6> across(const Partition& p, int rank) { return p.part(rank).across; }

}  // namespace

TEST_CASE("every cell of a domain is owned by exactly one rank, and no part is empty", "[ranks]") {
  int partitions = 0;
  for (const Grid& whole :
       {Grid{1, 9}, {9, 1}, {17, 9}, {16, 16}, {13, 31}, {9, 9, 9}, {5, 7, 11}, {8, 16, 9}})
    for (int align : {1, 2, 4})
      for_each_partition(whole, 9, align, {}, [&](const Partition& p) {
        ++partitions;
        std::vector<int> owners(std::size_t(whole.cells()), 0);
        for (int r = 0; r < p.ranks(); ++r) {
          const CellBox& own = p.part(r).own;
          CHECK(own.cells() > 0);
          for (int k = own.k; k < own.k + own.nz; ++k)
            for (int j = own.j; j < own.j + own.ny; ++j)
              for (int i = own.i; i < own.i + own.nx; ++i)
                ++owners[std::size_t((Index(k) * whole.ny + j) * whole.nx + i)];
        }
        CHECK(std::all_of(owners.begin(), owners.end(), [](int n) { return n == 1; }));
      });
  CHECK(partitions > 300);
}

TEST_CASE("parts differ by at most the alignment of cuts", "[ranks]") {
  const Partition even = Partition::of({4, 10}, 3, PartShape::from("slabs"));
  CHECK(first_rows(even) == std::vector{0, 3, 6});  // floor(10 p / 3)
  CHECK(even.imbalance() == Approx(4 * 3 / 10.0 - 1));
  const Partition aligned = Partition::of({2, 8193}, 3, PartShape::from("slabs"), 32);
  CHECK(first_rows(aligned) == std::vector{0, 2720, 5440});  // multiples of 32 below 2731 and 5462
  CHECK(aligned.part(2).own.ny == 2753);
  CHECK(aligned.imbalance() < 0.012);
  CHECK(Partition::of({64, 64}, 4, PartShape::from("slabs")).imbalance() == 0);
}

TEST_CASE("slabs are cut along the slowest axis, pencils along two, blocks along those with the least cut",
          "[ranks]") {
  const auto counts = [](const Grid& g, int ranks, const char* word) {
    return Partition::of(g, ranks, PartShape::from(word)).counts();
  };
  CHECK(counts({32, 32}, 4, "slabs") == std::array{1, 4, 1});
  CHECK(counts({32, 32, 32}, 4, "slabs") == std::array{1, 1, 4});
  CHECK(counts({32, 32, 32}, 4, "pencils") == std::array{1, 2, 2});
  CHECK(counts({32, 32, 32}, 8, "blocks") == std::array{2, 2, 2});
  CHECK(counts({32, 32}, 4, "blocks") == std::array{2, 2, 1});
  CHECK(counts({32, 32}, 6, "blocks") ==
        std::array{2, 3, 1});  // of 2x3 and 3x2 the one with fewer parts in x
  CHECK(counts({400, 4}, 4, "blocks") == std::array{4, 1, 1});
  CHECK(counts({32, 32, 32}, 6, "1x2x3") == std::array{1, 2, 3});
  CHECK(counts({32, 32}, 6, "3x2") == std::array{3, 2, 1});
}

TEST_CASE("the rank across a side is the neighbour, the opposite end of a periodic axis, or none",
          "[ranks]") {
  const Grid whole{6, 6, 6};
  const Partition walls = Partition::of(whole, 8, PartShape::from("2x2x2"));
  CHECK(across(walls, 0) == std::array{-1, 1, -1, 2, -1, 4});
  CHECK(across(walls, 7) == std::array{6, -1, 5, -1, 3, -1});
  const Partition around = Partition::of(whole, 3, PartShape::from("slabs"), 1, {true, false, true});
  CHECK(across(around, 0) == std::array{0, 0, -1, -1, 2, 1});
  CHECK(across(around, 2) == std::array{2, 2, -1, -1, 1, 0});
  CHECK(across(Partition::of({6, 6}, 2, PartShape::from("slabs"), 1, {true, true, false}), 0) ==
        std::array{0, 0, 1, 1, -1, -1});
}

TEST_CASE("a local grid has the colours of the whole domain", "[ranks]") {
  Grid whole{7, 9, 5};
  for (int parity : {0, 1}) {
    whole.parity = parity;
    for_each_partition(whole, 9, 1, {}, [&](const Partition& p) {
      for (int r = 0; r < p.ranks(); ++r) {
        const CellBox& own = p.part(r).own;
        const Grid local = p.local(r, 1);
        CHECK(local.parity == (parity + own.i + own.j + own.k) % 2);
        CHECK(local.dims == 3);
        CHECK(local.cells() == own.cells());
      }
    });
  }
  CHECK(Partition::of({4, 9}, 2, PartShape::from("slabs")).local(1, 3) == Grid{4, 5, 1, 2, 3, 0});
}

TEST_CASE("a halved partition gives each rank the cells of odd index of its part", "[ranks]") {
  const auto owner = [](const Partition& p, int i, int j, int k) {
    for (int r = 0; r < p.ranks(); ++r)
      if (p.part(r).own.has(i, j, k)) return r;
    return -1;
  };
  for (const Grid& whole : {Grid{19, 20}, Grid{12, 13, 15}})
    for_each_partition(whole, 6, 2, {true, false, false}, [&](const Partition& fine) {
      for (const std::array<bool, 3>& axes : {std::array{true, true, whole.is_3d()}, {false, true, false}}) {
        REQUIRE(fine.can_be_halved(axes));
        const Partition coarse = fine.halved(axes);
        const Grid& g = coarse.whole();
        CHECK(g.nx == whole.nx / (axes[0] ? 2 : 1));
        for_each_cell(g, false, [&](int i, int j, int k) {
          const int of_fine =
              owner(fine, axes[0] ? 2 * i + 1 : i, axes[1] ? 2 * j + 1 : j, axes[2] ? 2 * k + 1 : k);
          if (owner(coarse, i, j, k) != of_fine) FAIL_CHECK(i << ", " << j << ", " << k);
        });
        for (int r = 0; r < fine.ranks(); ++r) CHECK(coarse.part(r).across == fine.part(r).across);
      }
    });
  const Partition odd = Partition::of({8, 10}, 2, PartShape::from("slabs"));  // cut at 5
  CHECK_FALSE(odd.can_be_halved({false, true, false}));
  CHECK(odd.can_be_halved({true, false, false}));
  CHECK_THROWS_WITH(odd.halved({true, true, false}), ContainsSubstring("odd cell"));
  const Partition thin = Partition::of({8, 5}, 2, PartShape::from("slabs"), 2);  // 2 and 3 rows
  CHECK(thin.halved({false, true, false}).part(1).own == CellBox{0, 1, 0, 8, 1, 1});
}

TEST_CASE("a partition that does not fit is refused with its numbers", "[ranks]") {
  const auto of = [](const Grid& g, int ranks, const char* word, int align = 1) {
    return Partition::of(g, ranks, PartShape::from(word), align);
  };
  CHECK_THROWS_WITH(of({8, 8}, 3, "2x2"), ContainsSubstring("has 4 parts, but there are 3 ranks"));
  CHECK_THROWS_WITH(of({8, 3}, 4, "1x4"), ContainsSubstring("3 cells along y are too few for 4 parts"));
  CHECK_THROWS_WITH(of({8, 3}, 4, "slabs"), ContainsSubstring("8x3 has no slabs for 4 ranks"));
  CHECK_THROWS_WITH(of({8, 40}, 4, "slabs", 32), ContainsSubstring("cuts at multiples of 32"));
  CHECK_THROWS_WITH(of({8, 8}, 2, "1x1x2"), ContainsSubstring("1 cells along z"));
  CHECK_THROWS_WITH(of({8, 8}, 4, "slabs").local(0, 3),
                    ContainsSubstring("has 2 cells along y, but lends 3 layers"));
  CHECK_THROWS_WITH(of({8, 8}, 0, "slabs"), ContainsSubstring("at least 1 rank"));
  for (const char* word : {"slab", "", "2", "2x", "x2", "2x0", "2x3x4x5", "2X3", "-1x2"}) {
    INFO(word);
    CHECK_THROWS_WITH(PartShape::from(word), ContainsSubstring("use slabs, pencils, blocks, or a shape"));
  }
}
