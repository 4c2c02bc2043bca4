// Comparing fields where they are, in a GPU's memory.
#pragma once

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/field.hpp"

namespace cfdmark {

// Whether two fields of a device hold the same bits in every cell, ghosts too. They must outlive it.
class SameBits {
 public:
  // Same grid and storage.
  SameBits(CudaBackend&, const Field& a, const Field& b);
  // Waits for the device.
  bool operator()() const;

  // What it launches, for `blocks` blocks.
  static Launch launch(const AnyView& a, const AnyView& b, const Buffer& differ, int blocks);

 private:
  Backend* backend_;
  Buffer differ_;
  Step step_;
};

}  // namespace cfdmark
