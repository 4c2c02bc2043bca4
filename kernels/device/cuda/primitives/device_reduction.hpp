// Host side of BlockResults (device_reduction.cuh): allocates the memory that the blocks of a launch write
// to.
#pragma once

#include <vector>

#include "kernels/core/reduction_operations.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

class BlockResultsMemory {
 public:
  BlockResultsMemory(Backend& backend, int blocks)
      : partial_(backend, blocks * sizeof(double)), arrived_(backend, sizeof(unsigned)) {
    backend.set_zero(arrived_.data(), sizeof(unsigned));
  }
  BlockResults view() const {
    return {static_cast<double*>(partial_.data()), static_cast<unsigned*>(arrived_.data())};
  }
  std::vector<Buffer> buffers() const { return {partial_, arrived_}; }

 private:
  Buffer partial_, arrived_;
};

}  // namespace cfdmark
