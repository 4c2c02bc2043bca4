// Memory that a CUDA device reaches beyond its own: that of other devices, and pinned memory of the host.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace cfdmark {

// Lets kernels and copies of a device reach the memory of another. Returns why they cannot, or an empty
// string. Some machines grant access and lose the data, so a trial must follow (link_rates.hpp).
std::string enable_peer_access(int device, int other);

// Returns memory of the host that the copy engines and kernels of every device reach. Throws
// std::runtime_error if CUDA refuses it.
std::shared_ptr<void> pinned_memory(std::size_t bytes);

}  // namespace cfdmark
