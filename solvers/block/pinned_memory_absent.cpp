#include <stdexcept>

#include "solvers/block/pinned_memory.hpp"

namespace cfdmark {

std::shared_ptr<void> pinned_host_memory(std::size_t) {
  throw std::runtime_error("pinned memory needs a build with CUDA");
}

}  // namespace cfdmark
