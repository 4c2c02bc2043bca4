// Numbers that pass between the blocks of a launch: what they are in memory. NVRTC reads this file: no
// standard header here.
#pragma once

namespace cfdmark {

// In its upper half each word has half of a number's bits, in its lower the round that they belong to. Zero
// before the first launch, and rounds are counted from 1.
struct alignas(16) FlaggedValue {
  unsigned long long high, low;
};

}  // namespace cfdmark
