// Messages between the devices of ranks by a group's library, which is NCCL: in the queue of each device, so
// that no host waits. Values that are not contiguous are packed on the device.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device/cuda/plan/peer_plan.hpp"
#include "kernels/ranks/host_messages.hpp"

namespace cfdmark {

// Collective. Joins the devices of all ranks, and tries the group with a message to the next rank that is
// compared byte by byte. Throws std::runtime_error on all ranks if it cannot be joined or loses bytes, and
// std::invalid_argument if two ranks have one device.
std::shared_ptr<const PeerGroup> joined_group(Ranks&, Backend&);

// Returns rounds as work on a stream, one after the other. Between two ranks, sent and received copies are in
// the same order.
Plan messages_by_group(const std::shared_ptr<const PeerGroup>&, Backend&, const std::vector<DeviceRound>&,
                       int stream = 0);
// Prepares that rank `rank` of `count` gets the numbers of all.
Step numbers_by_group(const std::shared_ptr<const PeerGroup>&, Backend&, const std::vector<SharedNumbers>&,
                      int rank, int count);

}  // namespace cfdmark
