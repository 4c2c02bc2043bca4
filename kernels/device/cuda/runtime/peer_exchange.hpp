// Arguments of peer_exchange (peer_exchange.cu). NVRTC reads this file, so it includes no standard header.
#pragma once

namespace cfdmark {

// A flag in the memory of one device, and the count of its signals or awaits in that of the other.
struct PeerFlag {
  unsigned long long* flag;
  unsigned long long* count;
  int number;  // of an Await: index of its description on the host
};

// The widest word that a thread stores at once.
struct alignas(16) PeerWord {
  unsigned long long low, high;
};

// A box of rows, in words of a width.
struct PeerBox {
  const void* from;
  void* to;
  long long from_pitch, from_plane, to_pitch, to_plane;  // words
  int words, ny, nz;                                     // words of a row
};

// The first Await that has waited too long; number: its index, or -1.
struct PeerFailure {
  int number;
  unsigned long long round;
};

// One launch: signals and awaits before the boxes are stored, then those after.
struct PeerLaunch {
  static constexpr int most = 8;
  PeerFlag signals_before[most], awaits_before[most], signals_after[most], awaits_after[most];
  PeerBox boxes[most];
  int count_signals_before, count_awaits_before, count_signals_after, count_awaits_after, count_boxes;
  unsigned long long limit;  // nanoseconds that an Await may take
  unsigned* arrived;         // blocks; zero before and after each launch
  PeerFailure* failure;      // in memory of the host that the device can write
};

}  // namespace cfdmark
