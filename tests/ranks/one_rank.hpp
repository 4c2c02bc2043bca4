// A case solved by one rank without any communicator, to compare solves on ranks with.
#pragma once

#include <memory>
#include <string>

#include "solvers/linear/ranked_method.hpp"
#include "tests/ranks/partitions.hpp"
#include "tests/ranks/same_bits.hpp"
#include "tests/solvers/linear/solve.hpp"

namespace cfdmark {

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
        solved_(solved_by(method_)) {}

  Partition partition(int ranks, const PartShape& shape) const {
    return Partition::of(case_.grid, ranks, shape, 1, periodic_axes(*problem_->description));
  }
  // Returns what differs in a solve on ranks: an iteration count, a residual, or a cell; empty if nothing.
  std::string difference(const Partition& partition, const MakeCommunicator& make = nullptr) const {
    return difference_to(solved_by(on_ranks(method_, partition.ranks(), shape_of(partition), make)));
  }
  // Returns the same for ranks of processes, each of which calls it.
  std::string difference(const Partition& partition, Ranks& ranks, BackendKind kind) const {
    const SolverMethod method = method_named(solver_named(case_.solver), kind, method_.name);
    return difference_to(solved_by(on_ranks(method, ranks, shape_of(partition)), kind));
  }
  template <class F>
  void for_each_partition(int most, const F& f) const {
    cfdmark::for_each_partition(case_.grid, most, 1, periodic_axes(*problem_->description), f);
  }
  int iterations() const { return solved_.outcome.iterations; }

 private:
  static PartShape shape_of(const Partition& partition) {
    return {PartShape::Kind::given, partition.counts()};
  }
  std::string difference_to(const Solved& found) const {
    return difference_of(found.outcome, solved_.outcome) + difference_of(found.u, solved_.u);
  }
  Solved solved_by(const SolverMethod& method, BackendKind kind = BackendKind::serial) const {
    const Config config = method.space.complete({{"check_interval", 5}});
    return solve(case_.solver, method, backend(kind), case_.precision, problem_,
                 {case_.tolerance, case_.iterations, config});
  }

  RankedCase case_;
  std::shared_ptr<const LinearProblem> problem_;
  SolverMethod method_;
  Solved solved_;
};

}  // namespace cfdmark
