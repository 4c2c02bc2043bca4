// Limits that Linux control groups set for this process: those of a container, a batch job or a service.
#pragma once

#include <cstddef>
#include <string>

namespace cfdmark {

// Functions read /proc and /sys below `root`, so that tests can supply their own files.

// Returns the bytes of memory still allowed by this process's group and its ancestors; the largest number if
// none has a limit. File pages that the kernel can reclaim count as free.
std::size_t control_group_memory(const std::string& root = "");

// Returns the processors that these groups allow: 0.5 is half of one. 0 means no quota.
double control_group_processors(const std::string& root = "");

}  // namespace cfdmark
