// A step is one repetition of a case with every choice made: the only thing inside the clock.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cfdmark {

// What one device function of a step occupies. Occupancy is theoretical: resident warps over the most
// possible.
struct KernelResources {
  std::string name;
  int block[3] = {1, 1, 1};
  long long blocks = 0;     // of one launch
  int resident_blocks = 0;  // that a multiprocessor holds at once
  int registers = 0;        // a thread
  int shared_bytes = 0;     // a block, static and dynamic
  int local_bytes = 0;      // a thread: spills and indexed arrays
  double occupancy = 0;     // 0 .. 1
  // Of a solver that says which of its kernels it calls how often: the routine, and calls an iteration.
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
  std::function<void()> run;  // once, or as often as Method::steps says
  // A method with a layout of its own (colours in separate arrays) copies the fields in and out outside the
  // clock. Both may be null.
  std::function<void()> load, store;
  Resources resources;
};

// Adds what `step` occupies to `sum`.
inline void add_resources(Resources& sum, const Step& step) {
  sum.threads = std::max(sum.threads, step.resources.threads);
  if (sum.tile.empty()) sum.tile = step.resources.tile;
  sum.launches += step.resources.launches;
  sum.kernels.insert(sum.kernels.end(), step.resources.kernels.begin(), step.resources.kernels.end());
}

// Two steps as one, the second after the first; both without a layout of their own.
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
