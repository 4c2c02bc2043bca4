#include "bench/catalog/kernel_problem.hpp"

#include <algorithm>

#include "kernels/device/cpu/host_memory.hpp"

namespace cfdmark {

std::shared_ptr<const Expected> KernelProblem::expected(const ProblemShape& shape) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) {
    return k.precision == shape.precision && k.steps == shape.steps;
  });
  if (found != kept_.end()) {
    kept_.splice(kept_.end(), kept_, found);
    return kept_.back().expected;
  }
  // Frees old results first: the new one and the field to compare it with need the memory.
  if (2 * bytes_of_expected() > double(available_host_memory())) kept_.clear();
  if (kept_.size() == most_expectations) kept_.pop_front();
  kept_.push_back(
      {shape.precision, shape.steps, std::make_shared<const Expected>(expecting_(start_, shape))});
  return kept_.back().expected;
}

double KernelProblem::bytes_of_expected() const {
  double bytes = 0;
  for (const auto& entry : start_.fields)
    if (entry.is_written) bytes += double(entry.initial.bytes());
  return bytes;
}

}  // namespace cfdmark
