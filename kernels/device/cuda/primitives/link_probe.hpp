// Memory layout of what link_probe.cu moves over a link. NVRTC reads this file, so it includes no standard
// header.
#pragma once

namespace cfdmark {

// The widest word that a thread stores at once.
struct alignas(16) LinkWord {
  unsigned long long low, high;
};

// A message box in the memory of a device. Its parts are on cache lines of their own, so that the order in
// which they arrive is that of the flag's release alone. All zero before the first round.
struct LinkMailbox {
  alignas(128) unsigned long long flag;   // round of the last message
  alignas(128) unsigned long long value;  // the message
  alignas(128) unsigned long long wrong;  // messages that were not there yet when the flag was
  unsigned long long late;                // round that was waited for in vain; 0: none
};

}  // namespace cfdmark
