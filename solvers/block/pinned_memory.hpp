#pragma once

#include <cstddef>
#include <memory>

namespace cfdmark {

// Returns page-locked host memory. Throws std::runtime_error in a build without CUDA.
std::shared_ptr<void> pinned_host_memory(std::size_t bytes);

}  // namespace cfdmark
