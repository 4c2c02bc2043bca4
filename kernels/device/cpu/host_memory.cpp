#include "kernels/device/cpu/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include "kernels/device/cpu/control_group.hpp"
#include "kernels/device/cpu/field_start.hpp"

namespace cfdmark {
namespace {

std::size_t read_number(const std::string& path, std::size_t otherwise) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : otherwise;
}

std::size_t mem_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, rest;
  std::size_t kib = 0;
  while (file >> key >> kib && std::getline(file, rest))
    if (key == "MemAvailable:") return kib * 1024;
  return std::numeric_limits<std::size_t>::max();
}

// Returns the bytes that `ulimit -v` still allows.
std::size_t address_space_available() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<std::size_t>::max();
  const std::size_t pages = read_number("/proc/self/statm", 0);
  const auto most = std::size_t(limit.rlim_cur);
  return most - std::min(most, pages * std::size_t(sysconf(_SC_PAGESIZE)));
}

}  // namespace

void* allocate_host(std::size_t bytes) {
  const std::size_t ahead = next_field_start();  // leaves a cache line for `base`
  const std::size_t whole = (ahead + bytes + host_page - 1) / host_page * host_page;
  auto* const base = static_cast<std::byte*>(std::aligned_alloc(host_page, whole));
  if (!base) throw std::bad_alloc();
  std::byte* const p = base + ahead;
  new (p - sizeof base) std::byte*(base);
  return p;
}

void release_host(void* p) noexcept {
  if (p) std::free(*reinterpret_cast<std::byte**>(static_cast<std::byte*>(p) - sizeof(std::byte*)));
}

std::size_t available_host_memory() {
  return std::min({mem_available(), control_group_memory(), address_space_available()});
}

std::size_t host_last_level_cache() {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
    std::size_t size = 0;
    char unit = 0;
    if (file >> size >> unit)
      largest = std::max(largest, unit == 'M' ? size << 20 : unit == 'K' ? size << 10 : size);
  }
  return largest;
}

}  // namespace cfdmark
