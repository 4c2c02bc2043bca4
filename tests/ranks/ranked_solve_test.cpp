// Prepared solves on ranks, as sweeps run them: the answer of one rank, and the facts of the record.
#include <algorithm>
#include <numeric>

#include "solvers/linear/ranked_method.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/same_bits.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

struct Answer {
  Outcome outcome;
  double true_residual = 0;
};

Answer answer_of(PreparedSolve& solve) {
  solve.reset();
  Answer answer{solve.solve(1e-6, 40), 0};
  answer.true_residual = solve.verify(answer.outcome, 1e-6).true_residual;
  return answer;
}

// A solver on serial ranks, and the same on one rank.
struct Pair {
  Pair(const char* solver, const char* method_name, const char* problem_name, const RankSetup& setup,
       Precision p = Precision::fp64)
      : problem(posed(problem_name, {21, 14})),
        method(method_named(solver_named(solver), BackendKind::serial, method_name)),
        config(method.space.complete({{"check_interval", 4}})),
        one(solver_named(solver), method, backend(BackendKind::serial), p, config, problem),
        several(ranked_solve(solver_named(solver), method, setup, backend(BackendKind::serial), p, config,
                             problem)) {}

  std::shared_ptr<const LinearProblem> problem;
  SolverMethod method;
  Config config;
  PreparedSolver one;
  std::unique_ptr<RankedSolve> several;
};

}  // namespace

TEST_CASE("a prepared solve on ranks has residuals and answer of one rank, also when it is repeated",
          "[ranks]") {
  const RankSetup three{3, "slabs"}, four{4, "2x2"};
  for (const RankSetup& setup : {three, four})
    for (const Precision p : {Precision::fp64, Precision::fp32, Precision::mixed})
      for (const char* problem : {"manufactured", "insulated", "periodic_channel"}) {
        INFO(setup.count << " ranks, " << to_string(p) << ", " << problem);
        Pair pair("cg", "textbook", problem, setup, p);
        const Answer expected = answer_of(pair.one);
        CHECK(expected.outcome.iterations > 4);
        for (int repeat = 0; repeat < 3; ++repeat) {
          const Answer found = answer_of(*pair.several);
          CHECK(difference_of(found.outcome, expected.outcome) == "");
          CHECK(equal_bits(found.true_residual, expected.true_residual));
        }
      }
}

TEST_CASE("a solve on ranks can be monitored without a change of its result", "[ranks]") {
  Pair pair("jacobi", "plain", "manufactured", {2, "slabs"});
  const Answer expected = answer_of(pair.one);
  std::vector<double> errors;
  const auto error = pair.several->error();
  REQUIRE(error);
  pair.several->solver().on_check = [&](const Outcome&) { errors.push_back(error()); };
  const Answer found = answer_of(*pair.several);
  CHECK(difference_of(found.outcome, expected.outcome) == "");
  REQUIRE(errors.size() == found.outcome.history.size());
  CHECK(errors.back() < errors.front());  // of the present iterate, not of the one before the solve
}

TEST_CASE("another problem of the same shape is solved on ranks after load()", "[ranks]") {
  Pair pair("cg", "textbook", "jump", {2, "slabs"});
  answer_of(*pair.several);
  const auto other = std::make_shared<const LinearProblem>(
      make_problem(find_problem("jump"), pair.problem->grid, Config{{"conductivity", 3.0}}));
  pair.one.load(other);
  pair.several->load(other);
  const Answer expected = answer_of(pair.one), found = answer_of(*pair.several);
  CHECK(difference_of(found.outcome, expected.outcome) == "");
}

TEST_CASE("the facts of a solve on ranks are those of its partition and of what it sent", "[ranks]") {
  Pair pair("jacobi", "plain", "manufactured", {2, "slabs"});
  answer_of(*pair.several);
  const RankFacts facts = *pair.several->rank_facts();
  CHECK(facts.setup == RankSetup{2, "slabs"});
  CHECK(facts.joined_by == "threads");
  CHECK(facts.parts == std::array{1, 2, 1});
  CHECK(facts.cells == std::vector<double>{21 * 7, 21 * 7});
  CHECK(facts.imbalance == 0);
  // An exchange is a row with a ghost at both ends, from each rank to the other: 23 numbers of 8 bytes.
  REQUIRE(facts.messages > 0);
  CHECK(facts.largest_message == 23 * 8);
  CHECK(facts.exchange_bytes == facts.messages * 23 * 8);
  const Outcome outcome = answer_of(*pair.several).outcome;
  const double sweeps = outcome.iterations, checks = double(outcome.history.size());
  CHECK(facts.messages >= 2 * sweeps);
  CHECK(facts.messages <= 2 * (sweeps + checks));
  CHECK(facts.sums >= checks);
  CHECK(pair.several->rank_facts()->messages == facts.messages);  // of one solve, not of both
  for (const RankSeconds& rank : facts.of_a_solve) {
    CHECK(rank.exchange > 0);
    CHECK(rank.sums > 0);
    CHECK(rank.exchange + rank.sums < rank.busy);
  }
  CHECK_FALSE(pair.one.rank_facts());
}

// Each method also sums once at the start, pipelined CG at each of its replacements, and BiCGStab at each of
// 11 checks.
TEST_CASE(
    "ranks join two sums an iteration of CG, one of CG with one sum and pipelined CG, and three of BiCGStab",
    "[ranks]") {
  // Returns the sums beyond a number an iteration.
  const auto more_than = [](int an_iteration, const char* solver, const char* method) {
    Pair pair(solver, method, "manufactured", {2, "slabs"});
    pair.several->reset();
    const Outcome outcome = pair.several->solve(1e-30, 40);
    CHECK(outcome.iterations == 40);
    return pair.several->rank_facts()->sums - an_iteration * outcome.iterations;
  };
  CHECK(more_than(2, "cg", "textbook") == 1);
  CHECK(more_than(1, "cg", "one_sum") == 1);
  CHECK(more_than(1, "cg", "pipelined") == 1 + 40 / 20);
  CHECK(more_than(3, "bicgstab", "textbook") == 1 + 11);
}

TEST_CASE("only refined solves and singular systems copy the system within the solve", "[ranks]") {
  const auto copies = [](const char* problem, Precision p) {
    Pair pair("cg", "textbook", problem, {2, "slabs"}, p);
    answer_of(*pair.several);
    return pair.several->rank_facts()->copies_timed;
  };
  CHECK_FALSE(copies("manufactured", Precision::fp64));
  CHECK_FALSE(copies("manufactured", Precision::fp32));
  CHECK(copies("manufactured", Precision::mixed));
  CHECK(copies("insulated", Precision::fp64));
}

TEST_CASE("a method that does not run on ranks refuses them, and a partition that does not fit", "[ranks]") {
  CHECK_THROWS_WITH(Pair("cg", "fused", "manufactured", {2, "slabs"}), ContainsSubstring("ranks"));
  CHECK_THROWS_WITH(Pair("cg", "textbook", "manufactured", {20, "slabs"}), ContainsSubstring("20"));
  CHECK_THROWS_WITH(Pair("cg", "textbook", "manufactured", {3, "2x2"}), ContainsSubstring("3"));
}
