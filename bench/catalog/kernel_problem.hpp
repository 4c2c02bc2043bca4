// The problem of a kernel's cases on the host: initial fields and expected results.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>

#include "kernels/cells/timed_problem.hpp"

namespace cfdmark {

// Number of expected results kept per problem: several methods and precisions alternate.
inline constexpr std::size_t most_expectations = 4;

// Expected results are computed on first use, so a process without verification does not compute them.
class KernelProblem {
 public:
  using Expecting = std::function<Expected(const HostProblem& start, const ProblemShape&)>;
  KernelProblem(HostProblem start, Expecting expecting)
      : start_(std::move(start)), expecting_(std::move(expecting)) {}

  const HostProblem& start() const { return start_; }
  // Returns the expected result for these steps and precision. Recent results are kept while memory suffices;
  // others are freed with their last owner.
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
  mutable std::list<Kept> kept_;  // most recently used last
};

template <class Args>
KernelProblem problem_of(const KernelDescription<Args>& kernel, const ProblemShape& shape) {
  return {kernel.start(shape), kernel.expected};
}

}  // namespace cfdmark
