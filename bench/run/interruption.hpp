// Ctrl-C and the like: a run ends in order.
#pragma once

#include <csignal>

namespace cfdmark {

// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool requested() const;

 private:
  struct sigaction before_[3];
};

}  // namespace cfdmark
