// Workloads that measure their own time.
#pragma once

namespace cfdmark {

// A workload that runs in other processes.
class OwnClock {
 public:
  virtual ~OwnClock() = default;
  // Does Workload::run() this many times and returns the seconds.
  virtual double timed_runs(int runs) = 0;
};

}  // namespace cfdmark
