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

// In the order of the new side, then what only the base has. A row on a grid that each side has with one
// config, and not with the same, is one case with different configs and not one that vanished and one that is
// new.
std::vector<Match> matches(const Side& base, const Side& now);

}  // namespace cfdmark::compare
