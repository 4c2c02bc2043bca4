// Which cases of two sides belong together.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/side.hpp"

namespace cfdmark::compare {

struct Match {
  std::string name, label;         // the new side's where the two differ
  const SideCase* base = nullptr;  // null: only the new side has it
  const SideCase* now = nullptr;   // null: only the base has it
  std::string
      other_config;  // "block_x=64 in the base, block_x=32 in the new", where the names differ in that only
};

// The new side's cases in its order, then those that only the base has. Where each side has a row on a grid
// with one config, and the two configs differ, that is one case: nothing vanished and nothing is new.
std::vector<Match> matches(const Side& base, const Side& now);

}  // namespace cfdmark::compare
