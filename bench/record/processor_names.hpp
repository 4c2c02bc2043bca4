// Names of ARM processors, for which Linux reports only numbers.
#pragma once

#include <string>

namespace cfdmark {

// "ARM Neoverse-N1" of implementer 0x41 and part 0xd0c, as /proc/cpuinfo writes them. Numbers that are not
// known stay in the name, so that two processors never share one: "ARM part 0xd99", "implementer 0x99 part
// 0x1". Empty without an implementer.
std::string arm_processor_name(const std::string& implementer, const std::string& part);

}  // namespace cfdmark
