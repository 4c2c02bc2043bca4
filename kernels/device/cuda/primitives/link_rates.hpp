// Measures the links of a CUDA device: to another one, and to the host. Works on a device and on an emulated
// one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/primitives/link_probe.hpp"
#include "kernels/device/cuda/runtime/peer_access.hpp"

namespace cfdmark {

struct LinkEffort {
  std::size_t bytes = std::size_t(256) << 20;  // of a message whose bandwidth is measured
  int copies = 100;                            // of 8 bytes in a graph whose latency is measured
  int rounds = 4000;                           // messages each way whose latency is measured
  double answer_seconds = 1;                   // that a kernel waits for a message
  double batch_seconds = 5e-3;                 // least duration of a timed batch
  double seconds = 2;                          // limit of all measurements of a pair of devices
  // Lets a device reach the memory of another; returns why it cannot.
  std::function<std::string(int device, int other)> enable = enable_peer_access;
  // Allocates memory of the host that copy engines and kernels reach.
  std::function<std::shared_ptr<void>(std::size_t bytes)> pinned = pinned_memory;
  // Returns a further queue of a device, for the way back from the host.
  std::function<std::unique_ptr<Backend>(DeviceId)> second_queue = new_queue;
};

// A link in one direction. Bandwidths are in bytes per second, latencies in seconds; what is empty has a
// reason.
struct LinkRates {
  std::optional<double> copy, copy_both_ways;    // by the copy engines; both ways at once: each way
  std::optional<double> store, store_both_ways;  // by a kernel of the device
  std::optional<double> copy_latency;            // of 8 bytes, in a graph of copies
  std::optional<double> flag_latency;            // until another device has seen a number and its flag
  std::string reason;  // why the memory at the other end cannot be used, or a value is missing
};

// Returns the links from the first device to the second and back. The limit of time begins when device code
// is compiled and each way, in each direction, has moved a pattern of which every byte was compared.
struct LinkPair {
  LinkRates there, back;
};
LinkPair measure_link(CudaBackend& first, CudaBackend& second, const LinkEffort&);

// Returns the links from a device to the host and back. A kernel that reads memory of the host counts as a
// store on the way back.
LinkPair measure_host_link(CudaBackend&, const LinkEffort&);

// Returns a launch that copies bytes, a multiple of 16, between memory that the device reaches.
Launch copy_words(const void* from, void* to, std::size_t bytes);
// Returns the launch of one of two sides that answer each other `rounds` times, and wait so long for an
// answer.
Launch answer_rounds(bool is_first, LinkMailbox* mine, LinkMailbox* other, const std::shared_ptr<int>& rounds,
                     double answer_seconds);

}  // namespace cfdmark
