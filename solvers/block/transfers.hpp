// What a step of a solver whose matrices are made on the host brings to a device and back.
#pragma once

#include <functional>
#include <string>

#include "solvers/block/method.hpp"

namespace cfdmark {

// Empty: nothing is moved.
struct BlockTransfers {
  std::function<void()> in, out;
};

// "none", "pageable" or "pinned": matrices and r in, dx out. r, which is computed on the device here, goes
// out first.
BlockTransfers block_transfers(const BlockSystem&, const std::string& kind, const Field& r, const Field& dx);

}  // namespace cfdmark
