// Memory and properties of the host, shared by its backends.
#pragma once

#include <cstddef>

namespace cfdmark {

void* allocate_host(std::size_t bytes);  // 64-byte aligned, not touched; throws std::bad_alloc
void release_host(void*) noexcept;
std::size_t available_host_memory();  // bytes left by machine, control group and address space
std::size_t host_last_level_cache();  // bytes of the largest cache that a core can use; 0 if unknown

}  // namespace cfdmark
