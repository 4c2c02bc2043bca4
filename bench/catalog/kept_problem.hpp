// A cache of one problem. Reference data can be as large as the fields, and the next case often needs the
// same.
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

// Returns the result of make(), kept until another key is requested. The old one is freed first, because two
// large ones might not fit. Each key belongs to one type.
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
