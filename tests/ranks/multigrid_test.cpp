// Multigrid on ranks against multigrid of one rank: the same cycles and bits, with levels parted and
// repeated.
#include "tests/ranks/check_partitions.hpp"
#include "tests/ranks/faulty_communicator.hpp"

using namespace cfdmark;

namespace {

// gather_cells of 1 keeps levels parted as long as cuts are at even cells; 10^6 repeats all coarse levels.
RankedCase by_cycles(const char* solver, const char* problem, const Grid& grid, int gather,
                     Precision precision = Precision::fp64) {
  RankedCase c{solver, problem, grid, precision, 4, 1e-13};
  c.method = solver == std::string("multigrid") ? "plain" : "multigrid";
  c.config = {{"check_interval", 1}};
  c.on_ranks = {{"gather_cells", gather}};
  c.align = 2;
  return c;
}

constexpr int all_repeated = 1000000;

// The same with the levels that are not parted on the first rank.
RankedCase gathered(RankedCase c) {
  c.on_ranks.set("coarse", "gathered");
  return c;
}

}  // namespace

TEST_CASE("multigrid on 1 to 9 ranks computes every bit of one rank, for all partitions of a plane",
          "[ranks]") {
  for (const int gather : {1, 8, 40, all_repeated}) {
    CHECK(check_all_partitions(by_cycles("multigrid", "manufactured", {33, 31}, gather)) == 23);
    CHECK(check_all_partitions(by_cycles("multigrid", "manufactured", {40, 22}, gather)) == 23);
  }
}

TEST_CASE("multigrid on 1 to 9 ranks computes every bit of one rank, for all partitions of a box",
          "[ranks]") {
  for (const int gather : {1, all_repeated})
    CHECK(check_all_partitions(by_cycles("multigrid", "manufactured", {18, 19, 20}, gather)) == 44);
}

TEST_CASE("multigrid with varying coefficients and other sides on ranks computes every bit of one rank",
          "[ranks]") {
  for (const char* problem : {"jump", "insulated", "heated_plate_cells", "convection"})
    CHECK(check_all_partitions(by_cycles("multigrid", problem, {37, 26}, 1)) == 23);
  for (const char* problem : {"periodic_box", "periodic_channel"})
    CHECK(check_all_partitions(by_cycles("multigrid", problem, {36, 32}, 1)) == 23);
  CHECK(check_all_partitions(by_cycles("multigrid", "jump", {18, 13, 19}, 1), 6) == 25);
  for (const char* problem : {"jump", "periodic_box", "insulated"})
    CHECK(check_all_partitions(by_cycles("multigrid", problem, {36, 32}, all_repeated), 4) == 8);
}

TEST_CASE("multigrid whose coarse levels are gathered on one rank computes every bit of one rank",
          "[ranks]") {
  for (const int gather : {40, all_repeated})
    CHECK(check_all_partitions(gathered(by_cycles("multigrid", "manufactured", {33, 31}, gather))) == 23);
  CHECK(check_all_partitions(gathered(by_cycles("multigrid", "manufactured", {18, 19, 20}, 100)), 6) == 25);
  for (const char* problem : {"jump", "insulated", "heated_plate_cells", "periodic_box", "periodic_channel"})
    CHECK(check_all_partitions(gathered(by_cycles("multigrid", problem, {36, 32}, all_repeated)), 4) == 8);
  for (const char* cycle : {"w", "f", "full"}) {
    RankedCase c = gathered(by_cycles("multigrid", "manufactured", {33, 31}, 40));
    c.config.set("cycle", cycle);
    CHECK(check_all_partitions(c, 4) == 8);
  }
  CHECK(check_all_partitions(gathered(by_cycles("pcg", "jump", {40, 22}, 8, Precision::mixed)), 4) == 8);
}

TEST_CASE("preconditioning by cycles on ranks computes every bit of one rank", "[ranks]") {
  for (const char* problem : {"manufactured", "jump", "periodic_box", "insulated"})
    CHECK(check_all_partitions(by_cycles("pcg", problem, {32, 26}, 1)) == 23);
  CHECK(check_all_partitions(by_cycles("bicgstab", "convection", {33, 26}, 1)) == 23);
  CHECK(check_all_partitions(by_cycles("pcg", "jump", {32, 26}, all_repeated), 4) == 8);
}

TEST_CASE("32-bit and refined multigrid on ranks computes every bit of one rank", "[ranks]") {
  for (const Precision p : {Precision::fp32, Precision::mixed}) {
    CHECK(check_all_partitions(by_cycles("multigrid", "manufactured", {40, 22}, 1, p)) == 23);
    CHECK(check_all_partitions(by_cycles("pcg", "jump", {40, 22}, 8, p)) == 23);
  }
  RankedCase narrow = by_cycles("pcg", "jump", {40, 22}, 8);
  narrow.config.set("preconditioner_precision", "fp32");
  CHECK(check_all_partitions(narrow) == 23);
}

TEST_CASE("each cycle and smoother on ranks computes every bit of one rank", "[ranks]") {
  for (const char* cycle : {"w", "f", "full"}) {
    RankedCase c = by_cycles("multigrid", "manufactured", {33, 31}, 1);
    c.config.set("cycle", cycle);
    CHECK(check_all_partitions(c, 6) == 14);
  }
  RankedCase jacobi = by_cycles("multigrid", "manufactured", {33, 31}, 1);
  jacobi.config.set("smoother", "jacobi");
  CHECK(check_all_partitions(jacobi, 6) == 14);
  for (const int levels : {1, 2, 3}) {  // the coarsest level is parted
    RankedCase c = by_cycles("multigrid", "manufactured", {33, 31}, 1);
    c.config.set("levels", levels);
    CHECK(check_all_partitions(c, 6) == 14);
  }
}

TEST_CASE("planted faults in the communication of multigrid on ranks are found", "[ranks]") {
  using enum PlantedFault;
  const auto with = [](PlantedFault fault) {
    return [fault](Ranks& ranks, const Partition& partition) {
      return std::make_unique<const FaultyCommunicator>(ranks, partition, fault);
    };
  };
  for (const char* solver : {"multigrid", "pcg"}) {
    const OneRank parted(by_cycles(solver, "manufactured", {32, 26}, 1)),
        repeated(by_cycles(solver, "manufactured", {32, 26}, all_repeated)),
        on_one(gathered(by_cycles(solver, "manufactured", {32, 26}, all_repeated)));
    for (const PlantedFault fault : {part_dropped, part_without_edge}) {
      INFO(solver << " gathered, fault " << int(fault));
      CHECK(on_one.difference(on_one.partition(4, PartShape::from("2x2")), with(fault)) != "");
    }
    for (const OneRank* one : {&parted, &repeated, &on_one}) {
      const Partition partition = one->partition(4, PartShape::from("2x2"));
      INFO(solver << (one == &parted ? " parted" : one == &repeated ? " repeated" : " gathered"));
      CHECK(one->difference(partition, with(none)) == "");
      for (const PlantedFault fault : {dropped, of_last_step, wrong_side, one_layer_off, one_corner_short,
                                       gather_dropped, gather_swapped, old_share, sum_in_rank_order}) {
        INFO("fault " << int(fault));
        CHECK(one->difference(partition, with(fault)) != "");
      }
    }
  }
}

TEST_CASE("multigrid on ranks refuses parts of one cell, and keeps levels parted down to gather_cells",
          "[ranks]") {
  const SolverMethod one = method_named(solver_named("multigrid"), BackendKind::serial, "plain");
  const auto prepare = [&](const Grid& grid, int ranks) {
    const SolverMethod ranked = on_ranks(one, ranks, PartShape::from("slabs"));
    PreparedSolver(solver_named("multigrid"), ranked, backend(BackendKind::serial), Precision::fp64,
                   ranked.space.complete({}), posed("manufactured", grid));
  };
  CHECK_NOTHROW(prepare({9, 9}, 4));
  CHECK_THROWS_WITH(prepare({9, 9}, 5),
                    ContainsSubstring("9x9 has no slabs for 5 ranks with cuts at multiples of 2"));
  const auto alignment = [&](const Grid& grid, int ranks, int cells) {
    return one.rank_alignment(grid, ranks, {{"gather_cells", cells}});
  };
  // 1024 to 2^20 cells: 2 ranks with 8192 cells each on 128x128, the third coarse level.
  CHECK(alignment({1024, 1024}, 2, 8192) == 16);
  CHECK(alignment({1024, 1024}, 2, 8193) == 8);
  CHECK(alignment({1024, 1024}, 4, 8192) == 8);
  CHECK(alignment({1024, 1024}, 2, 1000000) == 2);
}
