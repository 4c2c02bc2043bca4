// A search space holds the candidates of a search, knows the default among them, and finds the neighbours of
// each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/config.hpp"

namespace cfdmark::tuning {

// A method with a valid config of it. The method is a dimension of the search like any setting.
struct Candidate {
  std::string method;
  Config config;

  bool operator==(const Candidate&) const = default;
};

// "shared:block_x=64,block_y=4"
std::string candidate_text(const Candidate&);

class SearchSpace {
 public:
  // Takes the candidates in the order of the space; `fallback` is the index of the default. Throws
  // std::invalid_argument for no candidates, duplicates, or an index out of range.
  SearchSpace(std::vector<Candidate> candidates, std::size_t fallback);

  std::size_t size() const { return candidates_.size(); }
  const Candidate& operator[](std::size_t n) const { return candidates_.at(n); }
  std::size_t fallback() const { return fallback_; }
  // Returns the index of a candidate, or nothing.
  std::optional<std::size_t> find(const Candidate&) const;

  // Returns, in the order of the space, the candidates that differ from n in one setting by one step of the
  // values present there, and those of other methods with the same config.
  std::vector<std::size_t> neighbours(std::size_t n) const;

 private:
  std::vector<Candidate> candidates_;
  std::size_t fallback_;
};

}  // namespace cfdmark::tuning
