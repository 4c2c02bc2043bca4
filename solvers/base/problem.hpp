// Base of the problems of all families (family.hpp).
#pragma once

namespace cfdmark {

// A problem in double precision on the host: what a solve starts from, and what its answer is compared with.
struct Problem {
  virtual ~Problem() = default;
};

}  // namespace cfdmark
