// Messages between the devices of ranks by way of the hosts: a rank copies what it sends to memory of its
// host, the hosts exchange it as their ranks are joined, and the reader copies it to its device. Hosts wait
// for their devices and for each other, so this is slow, and needs nothing of the devices.
#pragma once

#include <vector>

#include "kernels/core/step.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/ranks/ghost_rounds.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// The messages of a rank that may be under way at the same time.
struct DeviceRound {
  struct Sent {
    GhostCopy copy;  // its target is in the memory of the reader
    int to_rank = 0;
  };
  std::vector<GhostCopy> own;  // within this rank's memory
  std::vector<Sent> sent;
  std::vector<GhostCopy> received;  // their source is in the memory of from_rank
};

// Collective. Prepares rounds, one after the other. Between two ranks, sent and received copies are in the
// same order.
Step messages_by_host(Ranks&, Backend&, const std::vector<DeviceRound>&);

// Numbers of all ranks in the memory of a device, of which each rank sets those from offsets[rank] to
// offsets[rank + 1] - 1.
struct SharedNumbers {
  double* all = nullptr;
  std::vector<int> offsets;

  double* of(int rank) const { return all + offsets[std::size_t(rank)]; }
  int count_of(int rank) const { return offsets[std::size_t(rank) + 1] - offsets[std::size_t(rank)]; }
};

// Collective. Prepares that every rank gets the numbers of all.
Step numbers_by_host(Ranks&, Backend&, const std::vector<SharedNumbers>&);

}  // namespace cfdmark
