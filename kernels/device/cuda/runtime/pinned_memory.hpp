// Memory of the host that the copy engines and kernels of every CUDA device reach.
#pragma once

#include <cstddef>
#include <memory>

namespace cfdmark {

// Throws std::runtime_error if the system or CUDA refuses it.
std::shared_ptr<void> pinned_memory(std::size_t bytes);

}  // namespace cfdmark
