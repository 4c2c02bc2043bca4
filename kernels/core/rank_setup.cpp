#include "kernels/core/rank_setup.hpp"

#include <stdexcept>

#include "kernels/core/partition.hpp"

namespace cfdmark {

std::string partition_refusal(const Grid& grid, const RankSetup& setup, int layers) {
  try {
    const Partition parts = Partition::of(grid, setup.count, PartShape::from(setup.partition));
    for (int rank = 0; rank < setup.count; ++rank) parts.local(rank, layers);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

}  // namespace cfdmark
