// Memory and facts of the host, shared by the backends that live there.
#pragma once

#include <cstddef>

namespace cfdmark {

void* allocate_host(std::size_t bytes);  // aligned to 64 bytes, not touched; throws std::bad_alloc
void release_host(void*) noexcept;
std::size_t available_host_memory();  // bytes, by the machine, the control group and the address space
std::size_t host_last_level_cache();  // bytes of the largest cache that one core reaches; 0 if unknown

}  // namespace cfdmark
