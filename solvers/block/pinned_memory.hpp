#pragma once

#include <cstddef>
#include <memory>

namespace cfdmark {

// Host memory that a GPU reads and writes by itself. Throws std::runtime_error where there is none.
std::shared_ptr<void> pinned_host_memory(std::size_t bytes);

}  // namespace cfdmark
