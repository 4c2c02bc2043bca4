// The limits that Linux control groups set for this process: those of a container, a batch job or a service.
#pragma once

#include <cstddef>
#include <string>

namespace cfdmark {

// Files below /proc and /sys can be read below another root, for tests.

// Bytes of memory that this process's own group and all groups around it still allow; the largest number if
// none has a limit. Pages of files that the kernel drops when memory is short count as free.
std::size_t control_group_memory(const std::string& root = "");

// Processors whose time these groups allow: 0.5 is half of one. 0 if there is no quota.
double control_group_processors(const std::string& root = "");

}  // namespace cfdmark
