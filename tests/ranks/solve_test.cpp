// Solves on ranks against the solve of one rank without any communicator: the same bits.
#include <algorithm>
#include <cstring>

#include "solvers/linear/ranked_solve.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/faulty_communicator.hpp"
#include "tests/ranks/partitions.hpp"
#include "tests/ranks/same_bits.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

struct RankedCase {
  const char* solver;
  const char* problem;
  Grid grid;
  Precision precision = Precision::fp64;
  int iterations = 60;
  double tolerance = 1e-9;
};

// A case solved by one rank, to compare with.
class OneRank {
 public:
  explicit OneRank(const RankedCase& c)
      : case_(c),
        problem_(posed(c.problem, c.grid)),
        method_(method_named(solver_named(c.solver), BackendKind::serial,
                             c.solver == std::string("jacobi") ? "plain" : "textbook")),
        config_(method_.space.complete({{"check_interval", 5}})),
        solved_(solve(c.solver, method_, backend(BackendKind::serial), c.precision, problem_,
                      {c.tolerance, c.iterations, config_})) {}

  Partition partition(int ranks, const PartShape& shape, int align = 1) const {
    return Partition::of(case_.grid, ranks, shape, align, periodic_axes(*problem_->description));
  }
  // Returns what differs in a solve on ranks: an iteration count, a residual, or a cell; empty if nothing.
  std::string difference(const Partition& partition, const MakeCommunicator& make = nullptr) const {
    const RankedOutcome found = solve_on_ranks(method_, case_.precision, config_, *problem_, partition,
                                               case_.tolerance, case_.iterations, make);
    return difference_of(found.outcome, solved_.outcome) + difference_of(found.u, solved_.u);
  }
  template <class F>
  void for_each_partition(int most, int align, const F& f) const {
    cfdmark::for_each_partition(case_.grid, most, align, periodic_axes(*problem_->description), f);
  }
  int iterations() const { return solved_.outcome.iterations; }

 private:
  RankedCase case_;
  std::shared_ptr<const LinearProblem> problem_;
  SolverMethod method_;
  Config config_;
  Solved solved_;
};

// Compares a case on all partitions for up to nine ranks. Returns their number.
int check_all_partitions(const RankedCase& c, int align = 1) {
  const OneRank one(c);
  CHECK(one.iterations() > 3);
  int partitions = 0;
  one.for_each_partition(9, align, [&](const Partition& p) {
    INFO(c.solver << " " << c.problem << " " << name(c.grid) << " " << to_string(c.precision) << " on "
                  << p.counts()[0] << "x" << p.counts()[1] << "x" << p.counts()[2]);
    CHECK(one.difference(p) == "");
    ++partitions;
  });
  return partitions;
}

}  // namespace

TEST_CASE("Jacobi and CG on 1 to 9 ranks compute every bit of one rank, for all partitions of a plane",
          "[ranks]") {
  for (const char* solver : {"jacobi", "cg"}) {
    CHECK(check_all_partitions({solver, "manufactured", {13, 11}}) == 23);
    CHECK(check_all_partitions({solver, "manufactured", {70, 9}}) == 23);  // rows of more than 32 cells
  }
  CHECK(check_all_partitions({"cg", "manufactured", {37, 40}}, 4) == 23);
}

TEST_CASE("Jacobi and CG on 1 to 9 ranks compute every bit of one rank, for all partitions of a box",
          "[ranks]") {
  for (const char* solver : {"jacobi", "cg"})
    CHECK(check_all_partitions({solver, "manufactured", {9, 10, 11}, Precision::fp64, 30}) == 53);
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
  CHECK(check_all_partitions({"cg", "periodic_box", {6, 7, 9}, Precision::fp64, 20}) > 40);
  CHECK(check_all_partitions({"jacobi", "jump", {11, 9}}) == 23);
  CHECK(check_all_partitions({"bicgstab", "convection", {13, 9}}) == 23);
}

TEST_CASE("32-bit and refined solves on ranks compute every bit of one rank", "[ranks]") {
  for (const Precision p : {Precision::fp32, Precision::mixed})
    for (const char* solver : {"jacobi", "cg"})
      CHECK(check_all_partitions({solver, "manufactured", {40, 9}, p, 60, 1e-6}) == 23);
}

TEST_CASE("solves on ranks repeat bit by bit", "[ranks]") {
  const OneRank one({"cg", "manufactured", {25, 19}});
  for (int run = 0; run < 20; ++run) CHECK(one.difference(one.partition(3, PartShape::from("slabs"))) == "");
}

// The second order of the five-point stencil: halving the spacing divides the error by four.
TEST_CASE("the error of a solve on 3 ranks falls with the square of the spacing", "[ranks]") {
  const auto error = [](int n) {
    const auto problem = posed("manufactured", {n, n});
    const SolverMethod method = method_named(solver_named("cg"), BackendKind::serial, "textbook");
    const RankedOutcome solved =
        solve_on_ranks(method, Precision::fp64, method.space.complete({}), *problem,
                       Partition::of({n, n}, 3, PartShape::from("slabs")), 1e-11, 1000);
    return solution_error(*problem, solved.u).max;
  };
  const double coarse = error(15), fine = error(31), finest = error(63);
  CHECK(coarse / fine == Approx(4).epsilon(0.1));
  CHECK(fine / finest == Approx(4).epsilon(0.03));
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

TEST_CASE("a solve on ranks refuses other grids, other sides and methods that do not exchange", "[ranks]") {
  const auto problem = posed("periodic_channel", {8, 8});
  const SolverMethod cg = method_named(solver_named("cg"), BackendKind::serial, "textbook");
  const auto solve_with = [&](const SolverMethod& method, const Partition& partition) {
    return solve_on_ranks(method, Precision::fp64, method.space.complete({}), *problem, partition, 1e-6, 10);
  };
  CHECK_THROWS_WITH(solve_with(cg, Partition::of({8, 9}, 2, PartShape::from("slabs"))),
                    ContainsSubstring("another grid"));
  CHECK_THROWS_WITH(solve_with(cg, Partition::of({8, 8}, 2, PartShape::from("slabs"))),
                    ContainsSubstring("other periodic sides"));
  const Partition fits =
      Partition::of({8, 8}, 2, PartShape::from("slabs"), 1, periodic_axes(*problem->description));
  CHECK_THROWS_WITH(
      solve_with(method_named(solver_named("cg"), BackendKind::serial, "fused"), fits),
      ContainsSubstring(
          "fused: ranks are not supported; use jacobi/plain, cg/textbook or bicgstab/textbook"));
}
