// Solves on ranks against the solve of one rank without any communicator: the same bits.
#include "tests/ranks/check_partitions.hpp"
#include "tests/ranks/faulty_communicator.hpp"

using namespace cfdmark;

TEST_CASE("Jacobi and CG on 1 to 9 ranks compute every bit of one rank, for all partitions of a plane",
          "[ranks]") {
  for (const char* solver : {"jacobi", "cg"}) {
    CHECK(check_all_partitions({solver, "manufactured", {13, 11}}) == 23);
    CHECK(check_all_partitions({solver, "manufactured", {70, 9}}) == 23);  // rows of more than 32 cells
  }
}

TEST_CASE("Jacobi and CG on 1 to 9 ranks compute every bit of one rank, for all partitions of a box",
          "[ranks]") {
  for (const char* solver : {"jacobi", "cg"})
    CHECK(check_all_partitions({solver, "manufactured", {9, 10, 11}, Precision::fp64, 30}) == 44);
}

TEST_CASE(
    "CG with one sum and pipelined CG on 1 to 9 ranks compute every bit of one rank, replacements included",
    "[ranks]") {
  const Config replaced{{"check_interval", 5}, {"replace", 10}};
  for (const char* method : {"one_sum", "pipelined"}) {
    CHECK(check_all_partitions(
              {"cg", "manufactured", {13, 11}, Precision::fp64, 60, 1e-9, method, replaced}) == 23);
    CHECK(check_all_partitions(
              {"cg", "manufactured", {9, 10, 11}, Precision::fp64, 30, 1e-9, method, replaced}, 3) > 6);
    for (const char* problem : {"periodic_channel", "insulated", "jump"})
      CHECK(check_all_partitions({"cg", problem, {11, 9}, Precision::fp64, 60, 1e-9, method, replaced}, 4) >
            6);
  }
  for (const Precision p : {Precision::fp32, Precision::mixed})
    CHECK(check_all_partitions({"cg", "manufactured", {40, 9}, p, 60, 1e-6, "one_sum", replaced}, 4) > 6);
}

TEST_CASE("red-black SOR and its preconditioning on 1 to 9 ranks compute every bit of one rank", "[ranks]") {
  for (const char* solver : {"sor", "pcg"}) {
    CHECK(check_all_partitions({solver, "manufactured", {13, 11}}) == 23);
    CHECK(check_all_partitions({solver, "manufactured", {70, 9}}) == 23);
    CHECK(check_all_partitions({solver, "manufactured", {9, 10, 11}, Precision::fp64, 20}) == 44);
    CHECK(check_all_partitions({solver, "jump", {11, 9}}) == 23);
  }
  for (const char* problem : {"periodic_box", "periodic_channel", "insulated", "heated_plate_cells"})
    CHECK(check_all_partitions({"pcg", problem, {10, 12}}) == 23);
  CHECK(check_all_partitions({"bicgstab", "convection", {13, 9}, Precision::fp64, 20, 1e-9, "red_black"}) ==
        23);
  CHECK(check_all_partitions({"bicgstab", "insulated", {13, 9}}) == 23);
  for (const Precision p : {Precision::fp32, Precision::mixed})
    for (const char* solver : {"sor", "pcg"})
      CHECK(check_all_partitions({solver, "manufactured", {40, 9}, p, 60, 1e-6}) == 23);
}

// The colour of a cell is that of its index in the domain: with a colour of its own, a part whose first cell
// is black would update another half first.
TEST_CASE("the colours of a part that starts at a black cell are those of the domain", "[ranks]") {
  const OneRank one({"sor", "manufactured", {15, 14}});
  int black = 0;
  one.for_each_partition(4, [&](const Partition& p) {
    for (int r = 0; r < p.ranks(); ++r) black += p.local(r, 1).parity;
    CHECK(one.difference(p) == "");
  });
  CHECK(black > 4);
}

TEST_CASE("the named kinds of partition compute every bit of one rank", "[ranks]") {
  const OneRank plane({"cg", "manufactured", {33, 21}}), box({"cg", "manufactured", {12, 10, 9}});
  for (const char* kind : {"slabs", "pencils", "blocks"})
    for (int ranks = 1; ranks <= 9; ++ranks) {
      INFO(kind << " of " << ranks << " ranks");
      CHECK(plane.difference(plane.partition(ranks, PartShape::from(kind))) == "");
      CHECK(box.difference(box.partition(ranks, PartShape::from(kind))) == "");
    }
}

TEST_CASE("periodic, singular, varying and cell-centred systems on ranks compute every bit of one rank",
          "[ranks]") {
  for (const char* problem : {"periodic_box", "periodic_channel", "insulated", "jump", "heated_plate_cells"})
    CHECK(check_all_partitions({"cg", problem, {11, 9}}) == 23);
  CHECK(check_all_partitions({"cg", "periodic_box", {6, 7, 9}, Precision::fp64, 20}) == 39);
  CHECK(check_all_partitions({"jacobi", "jump", {11, 9}}) == 23);
  CHECK(check_all_partitions({"bicgstab", "convection", {13, 9}}) == 23);
}

TEST_CASE("32-bit and refined solves on ranks compute every bit of one rank", "[ranks]") {
  for (const Precision p : {Precision::fp32, Precision::mixed})
    for (const char* solver : {"jacobi", "cg"})
      CHECK(check_all_partitions({solver, "manufactured", {40, 9}, p, 60, 1e-6}) == 23);
}

TEST_CASE("ranks that each hold the whole problem all end with every bit of one rank's answer", "[ranks]") {
  RankedCase cycles{"pcg", "jump", {24, 22}};
  cycles.method = "multigrid";
  for (const RankedCase& c : {RankedCase{"cg", "manufactured", {13, 11}},
                              RankedCase{"jacobi", "manufactured", {9, 10, 11}}, cycles}) {
    const OneRank one(c);
    for (const char* shape : {"slabs", "blocks"}) {
      CHECK(one.difference_by_processes(3, PartShape::from(shape)) == "");
      CHECK(one.difference_by_processes(4, PartShape::from(shape)) == "");
    }
  }
}

TEST_CASE("solves on ranks repeat bit by bit", "[ranks]") {
  const OneRank one({"cg", "manufactured", {25, 19}});
  for (int run = 0; run < 20; ++run) CHECK(one.difference(one.partition(3, PartShape::from("slabs"))) == "");
}

// The second order of the five-point stencil: halving the spacing divides the error by four.
TEST_CASE("the error of a solve on 3 ranks falls with the square of the spacing", "[ranks]") {
  const auto error = [](int n) {
    const SolverMethod method = on_ranks(method_named(solver_named("cg"), BackendKind::serial, "textbook"), 3,
                                         PartShape::from("slabs"));
    return solve("cg", method, backend(BackendKind::serial), Precision::fp64, posed("manufactured", {n, n}),
                 {1e-11, 1000, {}})
        .error.max;
  };
  const double coarse = error(15), fine = error(31), finest = error(63);
  CHECK(coarse / fine == Approx(4).epsilon(0.1));
  CHECK(fine / finest == Approx(4).epsilon(0.03));
}

TEST_CASE("a prepared solve on ranks can be repeated and takes another right-hand side", "[ranks]") {
  const SolverMethod one = method_named(solver_named("cg"), BackendKind::serial, "textbook"),
                     several = on_ranks(one, 3, PartShape::from("slabs"));
  const auto first = posed("heated_plate", {19, 14}), second = posed("manufactured", {19, 14});
  const auto prepared_by = [&](const SolverMethod& method) {
    return std::make_unique<PreparedSolver>(solver_named("cg"), method, backend(BackendKind::serial),
                                            Precision::fp64, method.space.complete({}), first);
  };
  const auto alone = prepared_by(one), ranked = prepared_by(several);
  for (const auto& problem : {first, first, second, first}) {
    for (const auto& prepared : {alone.get(), ranked.get()}) {
      prepared->load(problem);
      prepared->reset();
    }
    const Outcome expected = alone->solve(1e-9, 500);
    CHECK(difference_of(ranked->solve(1e-9, 500), expected) == "");
    CHECK(difference_of(ranked->solution(), alone->solution()) == "");
    CHECK(expected.converged);
  }
}

TEST_CASE("planted faults in the communication of ranks are found", "[ranks]") {
  using enum PlantedFault;
  const OneRank cg({"cg", "manufactured", {33, 21}}), jacobi({"jacobi", "manufactured", {33, 21}});
  const auto with = [](PlantedFault fault) {
    return [fault](Ranks& ranks, const Partition& partition) {
      return std::make_unique<const FaultyCommunicator>(ranks, partition, fault);
    };
  };
  for (const char* shape : {"1x3", "3x1", "2x2"}) {
    const int ranks = shape[0] == '2' ? 4 : 3;
    for (const OneRank* one : {&cg, &jacobi}) {
      const Partition partition = one->partition(ranks, PartShape::from(shape));
      INFO(shape << (one == &cg ? " cg" : " jacobi"));
      CHECK(one->difference(partition, with(none)) == "");
      for (const PlantedFault fault : {dropped, of_last_step, wrong_side, one_layer_off, one_corner_short}) {
        INFO("fault " << int(fault));
        CHECK(one->difference(partition, with(fault)) != "");
      }
    }
    const Partition partition = cg.partition(ranks, PartShape::from(shape));
    CHECK(cg.difference(partition, with(old_share)) != "");
    CHECK(cg.difference(partition, with(sum_in_rank_order)) != "");
    CHECK(jacobi.difference(jacobi.partition(ranks, PartShape::from(shape)), with(first_field)) != "");
  }
}

TEST_CASE("ranks refuse too small grids, other backends, and methods that do not exchange", "[ranks]") {
  const auto prepare = [](const char* method, int ranks, BackendKind kind = BackendKind::serial) {
    const SolverMethod ranked =
        on_ranks(method_named(solver_named("cg"), kind, method), ranks, PartShape::from("slabs"));
    PreparedSolver(solver_named("cg"), ranked, backend(kind), Precision::fp64, ranked.space.complete({}),
                   posed("heated_plate", {8, 8}));
  };
  CHECK_NOTHROW(prepare("textbook", 8));
  CHECK_THROWS_WITH(prepare("textbook", 9), ContainsSubstring("8x8 has no slabs for 9 ranks"));
  CHECK_THROWS_WITH(prepare("textbook", 2, BackendKind::openmp),
                    ContainsSubstring("on the serial or the cuda backend"));
  CHECK_THROWS_WITH(
      prepare("fused", 2),
      ContainsSubstring(
          "fused: ranks are not supported; use jacobi/plain, sor/plain, multigrid/plain, cg/textbook"));
}
