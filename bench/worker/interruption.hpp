// Ends a run in order after Ctrl-C.
#pragma once

#include <csignal>

namespace cfdmark {

// Records SIGINT, SIGTERM and SIGHUP during its lifetime instead of letting them end the process.
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
