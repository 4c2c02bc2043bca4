// Host-device transfers of a step whose matrices are made on the host. Matrices that do not depend on the
// previous step can be transferred while that step relaxes.
#pragma once

#include <functional>

#include "solvers/block/method.hpp"

namespace cfdmark {

// Transfers of a step; empty without transfers.
struct BlockTransfers {
  std::function<void()> in, matrices, out;  // in: r out and in again, as it is computed on the device here
  // Runs the relaxation concurrently with the transfer of the next step's matrices; empty if they run in
  // turn.
  std::function<void()> relax_beside;
};

// Returns the transfers that the settings `transfers` and `overlap` select, for a relaxation of r to dx.
// `relax` must not read system.matrices if they overlap.
BlockTransfers block_transfers(const BlockSystem&, const Config&, const Field& r, const Field& dx,
                               const std::function<void()>& relax);

// Returns true if the next step's matrices arrive while those of this step are in use.
inline bool overlaps_transfers(const Config& config) {
  return config.has("overlap") && config.is("overlap", "matrices");
}

// Adds the settings `transfers` and `overlap` to a solver on a device.
void add_transfer_settings(TuningSpace&);

}  // namespace cfdmark
