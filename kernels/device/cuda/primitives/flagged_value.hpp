// Memory layout of messages between the blocks of a launch. NVRTC reads this file, so it includes no standard
// header.
#pragma once

namespace cfdmark {

// The upper half of each word holds half of a number's bits, the lower half its round. Zero before the first
// launch; rounds start at 1.
struct alignas(16) FlaggedValue {
  unsigned long long high, low;
};

}  // namespace cfdmark
