// Facts about the host, from /proc and /sys.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cfdmark {

struct Cache {
  int level = 0;
  std::size_t bytes = 0;
  int shared_by = 1;  // number of logical processors that share it
};

// The processor's identification, in its vendor's terms.
struct Processor {
  std::string vendor, family, model, stepping;  // empty if unknown
};

// `root` replaces the root folder in tests.
Processor processor(const std::string& root = "");
std::string board(const std::string& root = "");  // system vendor, product, board; empty if unknown
int numa_nodes(const std::string& root = "");     // 0 if unknown
// true if cores run several threads each; none if unknown
std::optional<bool> smt(const std::string& root = "");
std::string governor(const std::string& root = "");  // clock governors, separated by commas; empty if unknown

// Returns the name in /proc/cpuinfo; for ARM, one from implementer and part. Empty if unknown.
std::string cpu_name(const std::string& root = "");
int cores();                  // logical processors of the machine
std::vector<Cache> caches();  // data and unified caches of the first processor, nearest first
std::size_t memory_bytes();   // 0 if unknown
std::string os_name();        // e.g. "Debian GNU/Linux 12 (bookworm)"; empty if unknown
std::string kernel_release();
std::string host_name();

// Returns the peak memory of this process since the last reset; 0 if it cannot be read.
std::size_t peak_resident_bytes();
std::size_t resident_bytes();
// Returns false if the kernel forbids it; the peak is then that of the whole process lifetime.
bool reset_peak_resident();

}  // namespace cfdmark
