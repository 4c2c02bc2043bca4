// What cases of a kernel are timed on, on the host: where its fields start, and what runs must leave there.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

// Expectations that a problem keeps: methods of several steps take turns, and so do precisions.
inline constexpr std::size_t most_expectations = 4;

// What a run must leave is made when it is asked for: a process that checks nothing does without.
class KernelProblem {
 public:
  using Expecting = std::function<Expected(const HostProblem& start, const ProblemShape&)>;
  KernelProblem(HostProblem start, Expecting expecting)
      : start_(std::move(start)), expecting_(std::move(expecting)) {}

  const HostProblem& start() const { return start_; }
  // Of a run of so many steps in this precision. The last few that were asked for are kept, if memory is not
  // short: others end with who holds them.
  std::shared_ptr<const Expected> expected(const ProblemShape&) const;

 private:
  struct Kept {
    Precision precision;
    int steps;
    std::shared_ptr<const Expected> expected;
  };
  double bytes_of_expected() const;

  HostProblem start_;
  Expecting expecting_;
  mutable std::list<Kept> kept_;  // the last that was asked for is the last
};

template <class Args>
KernelProblem problem_of(const KernelDescription<Args>& kernel, const ProblemShape& shape) {
  return {kernel.start(shape), kernel.expected};
}

}  // namespace cfdmark
