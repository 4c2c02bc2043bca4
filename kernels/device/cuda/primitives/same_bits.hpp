// Compares fields in a GPU's memory.
#pragma once

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/field.hpp"

namespace cfdmark {

// Returns true if two fields of a device have the same bits in every cell, ghosts included. The fields must
// outlive it.
class SameBits {
 public:
  // Grid and storage of both fields must be equal.
  SameBits(CudaBackend&, const Field& a, const Field& b);
  // Runs the comparison and waits for the device.
  bool operator()() const;

  // Returns the launch of the comparison with `blocks` blocks.
  static Launch launch(const AnyView& a, const AnyView& b, const Buffer& differ, int blocks);

 private:
  Backend* backend_;
  Buffer differ_;
  Step step_;
};

}  // namespace cfdmark
