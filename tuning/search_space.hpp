// What is searched: candidates, which of them is the default, and which are next to each other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/config.hpp"

namespace cfdmark::tuning {

// A method and a config that is valid for it: the method is a dimension of the search like any other.
struct Candidate {
  std::string method;
  Config config;

  bool operator==(const Candidate&) const = default;
};

// "shared:block_x=64,block_y=4"
std::string candidate_text(const Candidate&);

class SearchSpace {
 public:
  // The candidates in the order of the space, each once; `fallback` is the default.
  // Throws std::invalid_argument if there is no candidate, one twice, or no such fallback.
  SearchSpace(std::vector<Candidate> candidates, std::size_t fallback);

  std::size_t size() const { return candidates_.size(); }
  const Candidate& operator[](std::size_t n) const { return candidates_.at(n); }
  std::size_t fallback() const { return fallback_; }
  std::optional<std::size_t> find(const Candidate&) const;  // where it is

  // Those that differ from candidate n in one setting, by one step along the values that the space has
  // there, and those of other methods with the same config; in the order of the space.
  std::vector<std::size_t> neighbours(std::size_t n) const;

 private:
  std::vector<Candidate> candidates_;
  std::size_t fallback_;
};

}  // namespace cfdmark::tuning
