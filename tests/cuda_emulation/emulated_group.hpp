// Messages between emulated devices as a library passes them: values are copied when they are sent, and are
// NaN at the receiver until they arrive. A receive of other bytes than were sent throws, and so does one
// without a send, after most_seconds.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/device/cuda/plan/peer_plan.hpp"

namespace cfdmark::emulation {

GroupId new_group();
std::shared_ptr<const PeerGroup> join_group(const GroupId&, int count, int rank);

inline double most_seconds_of_a_receive = 30;
// Changes the messages of a rank before they are sent, in tests of faults; null: nothing.
inline std::function<std::vector<GroupMessage>(std::vector<GroupMessage>, int rank)> group_fault;

}  // namespace cfdmark::emulation
