// The problem of a kernel's case on a grid, and its fields.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/kernel_fields.hpp"

namespace cfdmark {

inline ProblemShape shape_of(Precision p, const Grid& g, const Config& workload) {
  return {p, g, workload.is("operator", "arrays") ? OperatorKind::arrays : OperatorKind::constant};
}

// Returns the fields shared by all configs, backends, numbers of steps, and precisions with equal storage.
template <class Args>
std::shared_ptr<KernelFields> fields_for(const KernelDescription<Args>& kernel, const ProblemShape& s,
                                         Backend& on) {
  const Precision storage = storage_of(s.precision);
  const std::string key =
      fmt::format("kernel {} {} {} {}", kernel.name, to_string(storage), grid_text(s.grid), int(s.op));
  return fields_for_case(on, storage, key,
                         [&] { return keep_problem(key, [&] { return problem_of(kernel, s); }); });
}

}  // namespace cfdmark
