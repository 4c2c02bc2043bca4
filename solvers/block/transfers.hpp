// What a step of a solver whose matrices are made on the host brings to a device and back. Matrices can be
// sent before the step that relaxes with them where they are not made of the flow that the step before it
// leaves.
#pragma once

#include <functional>

#include "solvers/block/method.hpp"

namespace cfdmark {

// Empty where nothing is moved.
struct BlockTransfers {
  std::function<void()> in, matrices, out;  // r, which is computed on the device here and goes out first; dx
  // `relax` beside the transfer of the next step's matrices; empty if they take turns.
  std::function<void()> relax_beside;
};

// As the config's `transfers` and `overlap` say, of a relaxation of r to dx. `relax` must not read
// system.matrices if it overlaps.
BlockTransfers block_transfers(const BlockSystem&, const Config&, const Field& r, const Field& dx,
                               const std::function<void()>& relax);

// Whether the matrices of the next step arrive while those of this step are in use.
inline bool overlaps_transfers(const Config& config) {
  return config.has("overlap") && config.is("overlap", "matrices");
}

// Adds both to the settings of a solver on a device.
void add_transfer_settings(TuningSpace&);

}  // namespace cfdmark
