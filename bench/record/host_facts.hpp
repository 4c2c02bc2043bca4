// The host, as /proc and /sys describe it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cfdmark {

struct Cache {
  int level = 0;
  std::size_t bytes = 0;
  int shared_by = 1;  // logical processors that share one of these
};

// As the processor names itself, in words of its vendor.
struct Processor {
  std::string vendor, family, model, stepping;  // empty if unknown
};

// What is read below /proc and /sys can be read below another root, for tests.
Processor processor(const std::string& root = "");
std::string board(const std::string& root = "");        // who made it, product, board; empty if unknown
int numa_nodes(const std::string& root = "");           // 0 if unknown
std::optional<bool> smt(const std::string& root = "");  // whether cores run several threads each
std::string governor(const std::string& root = "");  // of the clock; several with a comma; empty if unknown

// As /proc/cpuinfo names it; of ARM by implementer and part. Empty if unknown.
std::string cpu_name(const std::string& root = "");
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
