// Messages between emulated devices, whose ranks are threads. A value put to another device is NaN there
// until the signal behind it; without a signal it never arrives. After a signal some devices pause, so that
// ranks run in changing order. An Await that no other device can end throws what each device waits for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/device/cuda/plan/peer_plan.hpp"

namespace cfdmark::emulation {

// One device's end of its messages.
class Peers {
 public:
  Peers();
  Peers(const Peers&) = delete;
  ~Peers();

  // Counts this device among those with messages. All call it before the first message.
  void join();
  void put(const Put&);
  void signal(const Signal&);
  // Throws std::logic_error if all devices with messages wait, or after most_seconds.
  void await(const Await&, int rank);

  // Returns the calls that run the work, each to be submitted in order.
  std::vector<std::function<void()>> calls_of(const std::vector<PeerWork>&, int rank);

  static inline double most_seconds = 30;  // that an Await takes

 private:
  // A message that no signal has followed.
  struct OnItsWay {
    Put put;
    std::vector<char> values;
  };

  std::vector<OnItsWay> on_their_way_;
  unsigned signals_ = 0;
  bool has_joined_ = false;
};

}  // namespace cfdmark::emulation
