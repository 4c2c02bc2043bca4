// What cases are checked against can be as large as their fields: the process keeps the last that was asked
// for, and those of its family, which the next case may want again.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backends/host_memory.hpp"

namespace cfdmark {

// Problems that differ in the number of steps alone, say, by a key of their own that names no steps.
struct ProblemFamily {
  std::string key;   // empty: the problem is the only one
  double bytes = 0;  // of host memory that a problem takes
};
inline constexpr std::size_t most_of_a_family = 4;

struct KeptProblem {
  std::string key, family;
  std::shared_ptr<const void> problem;
};
inline std::vector<KeptProblem>& kept_problems() {  // the last that was asked for is the last
  static std::vector<KeptProblem> kept;
  return kept;
}

// The result of make(), kept until one of another family is asked for, or memory is short. What is given up
// is freed before the new one is made: two large ones might not fit. A key stands for one type.
template <class Make>
auto keep_problem(const std::string& key, const Make& make, const ProblemFamily& family = {}) {
  using Problem = decltype(make());
  std::vector<KeptProblem>& kept = kept_problems();
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& k) { return k.key == key; });
  if (found != kept.end()) {
    std::rotate(found, found + 1, kept.end());
  } else {
    std::erase_if(kept, [&](const auto& k) { return family.key.empty() || k.family != family.key; });
    if (2 * family.bytes > double(available_host_memory())) kept.clear();
    if (kept.size() == most_of_a_family) kept.erase(kept.begin());
    kept.push_back({key, family.key, std::make_shared<const Problem>(make())});
  }
  return std::static_pointer_cast<const Problem>(kept.back().problem);
}

}  // namespace cfdmark
