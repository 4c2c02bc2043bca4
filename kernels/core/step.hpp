// A step is one repetition of a case with every choice made: only its run() is timed.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cfdmark {

// Resources of one device function in a step. Occupancy is theoretical: resident warps over the maximum.
struct KernelResources {
  std::string name;
  int block[3] = {1, 1, 1};
  long long blocks = 0;     // per launch
  int resident_blocks = 0;  // resident blocks per multiprocessor
  int registers = 0;        // per thread
  int shared_bytes = 0;     // per block, static and dynamic
  int local_bytes = 0;      // per thread: spills and indexed arrays
  double occupancy = 0;     // 0 to 1
  // For solvers that report call counts: the routine, and its calls per iteration.
  std::string routine = "";
  int calls = 0;
};

struct Resources {
  int threads = 0;                       // cpu backends
  std::string tile;                      // kokkos
  int launches = 0;                      // device launches in one step
  std::vector<KernelResources> kernels;  // cuda
};

struct Step {
  std::function<void()> run;  // performs one step, or as many as Method::steps says
  // Copy the fields into and out of a method's own layout, such as separate arrays per colour. Not timed; may
  // be null.
  std::function<void()> load, store;
  Resources resources;
};

// Adds the resources of `step` to `sum`.
inline void add_resources(Resources& sum, const Step& step) {
  sum.threads = std::max(sum.threads, step.resources.threads);
  if (sum.tile.empty()) sum.tile = step.resources.tile;
  sum.launches += step.resources.launches;
  sum.kernels.insert(sum.kernels.end(), step.resources.kernels.begin(), step.resources.kernels.end());
}

// Returns a step that runs both in order. Neither may have load() or store().
inline Step in_turn(Step first, Step second) {
  Step both;
  add_resources(both.resources, first);
  add_resources(both.resources, second);
  both.run = [one = std::move(first.run), two = std::move(second.run)] {
    one();
    two();
  };
  return both;
}

}  // namespace cfdmark
