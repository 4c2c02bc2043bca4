// The rank that this process is.
#pragma once

#include "kernels/device/backend.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Returns this process's rank among processes that have joined; null if it is not one of several.
Ranks* process_rank();
// Sets it for the time that these ranks live; null at their end. `on_host`: its number among the ranks of its
// host.
void set_process_rank(Ranks*, int on_host = 0);

// Returns the device for this process, where `named` is that of the first rank of a host: on CUDA the next
// ones for the next ranks, and again from the first where devices are fewer.
DeviceId device_of_process(DeviceId named);

}  // namespace cfdmark
