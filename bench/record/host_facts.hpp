// The host, as /proc and /sys describe it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cfdmark {

struct Cache {
  int level = 0;
  std::size_t bytes = 0;
  int shared_by = 1;  // logical processors that share one of these
};

std::string cpu_name();       // empty if unknown
int cores();                  // logical processors of the machine
std::vector<Cache> caches();  // data and unified caches that the first processor reaches, nearest first
std::size_t memory_bytes();   // 0 if unknown
std::string os_name();        // "Debian GNU/Linux 12 (bookworm)"; empty if unknown
std::string kernel_release();
std::string host_name();

// Peak of the memory that this process held since the last reset; 0 if it cannot be read.
std::size_t peak_resident_bytes();
std::size_t resident_bytes();
// False if the kernel does not allow it: the peak is then that of the process's whole life.
bool reset_peak_resident();

}  // namespace cfdmark
