// A kernel on ranks as a workload: each rank runs the passes of a method on its part of the fields.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/catalog/fields_workload.hpp"
#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/overlap_order.hpp"
#include "kernels/ranks/timed_ranks.hpp"
#include "solvers/linear/device_parts.hpp"

namespace cfdmark {

// One rank's part of the fields of a kernel, with its passes. Ghosts are exchanged before each pass.
struct KernelPart {
  KernelPart(Ranks& of_all, const CellBox& owned, const CellBox& held, const Backend& whole)
      : ranks(of_all), own(owned), cells(held), on(whole, of_all.rank()), result(*on) {}

  void run();
  void reset() {
    busy = 0;
    ranks.reset();
  }

  TimedRanks ranks;
  CellBox own;    // the rank's cells
  CellBox cells;  // those of its fields: its own, or more (with_overlap)
  RankBackend on;
  std::vector<Field> fields;
  std::unique_ptr<const DeviceLinks> links;   // of CUDA devices
  std::vector<std::function<void()>> loads;   // after the fields were set
  std::vector<std::function<void()>> starts;  // exchanges after the fields of all parts were set
  std::vector<std::function<void()>> exchanges, passes;
  std::vector<std::size_t> received;  // fields whose ghosts the starts, exchanges or passes set
  std::vector<std::size_t> sent;      // those whose ghosts the passes set last, for the next step
  DeviceScalar result;
  Resources resources;  // of the passes
  double busy = 0;      // seconds since reset()
};

// A kernel and the ranks that run it: all that its parts depend on.
struct KernelOnRanks {
  RankSetup setup;
  ProblemShape shape;  // of the whole domain
  Cost cost;           // of a step there
  int ghosts = 1;      // layers that the kernel reads
  int overlap = 0;     // layers of other ranks' cells that each part has
  PeerWay way = PeerWay::store;
  Overlap order = Overlap::none;
};

// Prepares exchanges and passes of a part whose fields are set.
using PreparePart = std::function<void(KernelPart&, const Partition&)>;

std::unique_ptr<Workload> ranked_kernel_workload(Backend&, const KernelOnRanks&,
                                                 std::shared_ptr<KernelFields>, const PreparePart&);

}  // namespace cfdmark
