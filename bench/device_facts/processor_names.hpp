// Names of ARM processors, for which Linux reports only numbers.
#pragma once

#include <string>

namespace cfdmark {

// Returns, for example, "ARM Neoverse-N1" for implementer 0x41 and part 0xd0c, as in /proc/cpuinfo. Unknown
// numbers stay in the name ("ARM part 0xd99", "implementer 0x99 part 0x1"), so that two processors never
// share one. Empty without an implementer.
std::string arm_processor_name(const std::string& implementer, const std::string& part);

}  // namespace cfdmark
