// What cases are checked against can be as large as their fields: the process keeps the last that was asked
// for, which the next case may want again.
#pragma once

#include <memory>
#include <string>

namespace cfdmark {

struct KeptProblem {
  std::string key;
  std::shared_ptr<const void> problem;
};
inline KeptProblem& kept_problem() {
  static KeptProblem kept;
  return kept;
}

// The result of make(), kept until another is asked for. That one is freed before the new one is made: two
// large ones might not fit. A key stands for one type.
template <class Make>
auto keep_problem(const std::string& key, const Make& make) {
  using Problem = decltype(make());
  KeptProblem& kept = kept_problem();
  if (kept.key != key) {
    kept = {};
    kept = {key, std::make_shared<const Problem>(make())};
  }
  return std::static_pointer_cast<const Problem>(kept.problem);
}

}  // namespace cfdmark
