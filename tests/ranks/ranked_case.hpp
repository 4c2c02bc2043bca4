// A case solved on ranks and by one rank without any communicator.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/ranks/thread_ranks.hpp"
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
  const char* method = "";  // empty: plain or textbook
  Config config = {{"check_interval", 5}};
  Config on_ranks = {};  // settings that only ranks have
  int align = 1;         // of the cuts of for_each_partition
  std::string name_of_method() const {
    if (*method) return method;
    return solver == std::string("jacobi") || solver == std::string("sor") ? "plain" : "textbook";
  }
};

// A case solved by one rank, to compare with.
class OneRank {
 public:
  explicit OneRank(const RankedCase& c)
      : case_(c),
        problem_(posed(c.problem, c.grid)),
        method_(method_named(solver_named(c.solver), BackendKind::serial, c.name_of_method())),
        solved_(solved_by(method_, c.config)) {}

  Partition partition(int ranks, const PartShape& shape) const {
    return Partition::of(case_.grid, ranks, shape, 1, periodic_axes(*problem_->description));
  }
  // Returns what differs in a solve on ranks: an iteration count, a residual, or a cell; empty if nothing.
  std::string difference(const Partition& partition, const MakeCommunicator& make = nullptr) const {
    const PartShape shape{PartShape::Kind::given, partition.counts()};
    Config config = case_.config;
    for (const auto& [name, value] : case_.on_ranks.values()) config.set(name, value);
    const Solved found = solved_by(on_ranks(method_, partition.ranks(), shape, make), config);
    return difference_of(found.outcome, solved_.outcome) + difference_of(found.u, solved_.u);
  }
  // Returns the same for ranks that each hold the whole system, as processes do: what differs on any of them.
  std::string difference_by_processes(int ranks, const PartShape& shape) const {
    std::vector<std::string> differences(static_cast<std::size_t>(ranks));
    on_thread_ranks(ranks, [&](Ranks& all) {
      const std::unique_ptr<Backend> own = new_queue(backend(BackendKind::serial).id());
      const SolverMethod method = cfdmark::on_ranks(method_, all, shape);
      const Solved found = solve(case_.solver, method, *own, case_.precision, problem_,
                                 {case_.tolerance, case_.iterations, method.space.complete(case_.config)});
      differences[std::size_t(all.rank())] =
          difference_of(found.outcome, solved_.outcome) + difference_of(found.u, solved_.u);
    });
    std::string joined;
    for (const std::string& one : differences) joined += one;
    return joined;
  }
  // Returns the same for this process's rank among processes.
  std::string difference(const Partition& partition, Ranks& ranks, BackendKind kind) const {
    const PartShape shape{PartShape::Kind::given, partition.counts()};
    const SolverMethod method =
        cfdmark::on_ranks(method_named(solver_named(case_.solver), kind, method_.name), ranks, shape);
    const Solved found = solve(case_.solver, method, backend(kind), case_.precision, problem_,
                               {case_.tolerance, case_.iterations, method.space.complete(case_.config)});
    return difference_of(found.outcome, solved_.outcome) + difference_of(found.u, solved_.u);
  }
  template <class F>
  void for_each_partition(int most, const F& f) const {
    cfdmark::for_each_partition(case_.grid, most, case_.align, periodic_axes(*problem_->description), f);
  }
  int iterations() const { return solved_.outcome.iterations; }

 private:
  Solved solved_by(const SolverMethod& method, const Config& config) const {
    return solve(case_.solver, method, backend(BackendKind::serial), case_.precision, problem_,
                 {case_.tolerance, case_.iterations, method.space.complete(config)});
  }

  RankedCase case_;
  std::shared_ptr<const LinearProblem> problem_;
  SolverMethod method_;
  Solved solved_;
};

}  // namespace cfdmark
