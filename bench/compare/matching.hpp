// Finds the cases of two sides that belong together.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/side.hpp"

namespace cfdmark::compare {

struct Match {
  std::string name, label;         // the new side's, where the two differ
  const SideCase* base = nullptr;  // null: only the new side has the case
  const SideCase* now = nullptr;   // null: only the base has the case
  // "block_x=64 in the base, block_x=32 in the new", if the names differ in the config only; else empty
  std::string other_config;
};

// Returns the new side's cases in their order, then those that only the base has. If each side has exactly
// one unmatched config of a row on a grid, the two count as one case, so nothing is reported as vanished or
// new.
std::vector<Match> matches(const Side& base, const Side& now);

}  // namespace cfdmark::compare
