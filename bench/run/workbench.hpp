// Cases that stay prepared from one request to the next: a tuner comes back to the same ones again and again,
// a few samples at a time.
#pragma once

#include <memory>
#include <vector>

#include "bench/run/batch.hpp"

namespace cfdmark {

class Workbench {
 public:
  // Takes `samples` of each case, side by side as far as memory allows, and gives each its record, with these
  // samples only and without energy; `fresh` in it says that it was prepared just now, and then it has its
  // instructions, if they are wanted. Cases are prepared once and kept until others need their memory. Throws
  // DeviceLost as run_cases does.
  struct Wanted {
    int samples = 1;
    bool instructions = false;
  };
  void sample(const std::vector<Case>& cases, const Wanted& wanted, const Json& environment,
              const BatchEvents& events);

 private:
  struct Kept {
    std::string name;
    std::unique_ptr<PreparedCase> ready;
    int steps_per_sample = 0;  // 0: not yet warmed up
    double seconds = 0;        // that a sample took
    bool fresh = true;
  };
  struct Request;

  // Returns the first case that was left, for want of memory.
  std::size_t fill(const Request&, std::size_t first, std::vector<std::size_t>& indices);
  bool prepare(const Request&, std::size_t index);
  void measure_group(const Request&, const std::vector<std::size_t>& indices);
  Kept* find(const Case&);
  void make_room(const Case&, const std::vector<std::size_t>& in_use, const Request&);

  std::vector<Kept> kept_;  // the least recently used first
};

}  // namespace cfdmark
