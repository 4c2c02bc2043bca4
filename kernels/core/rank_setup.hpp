// The ranks of a case: how many, and how the domain is cut between them.
#pragma once

#include <string>

#include "kernels/core/grid.hpp"

namespace cfdmark {

struct RankSetup {
  int count = 1;
  std::string partition = "slabs";  // a word of PartShape::from (partition.hpp)
  bool processes = false;           // true: joined by MPI; false: threads of one process

  bool operator==(const RankSetup&) const = default;
};

// Returns why a grid cannot be parted so, with this number of layers of ghosts; empty if it can.
std::string partition_refusal(const Grid&, const RankSetup&, int layers);

}  // namespace cfdmark
