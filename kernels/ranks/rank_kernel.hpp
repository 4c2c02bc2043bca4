// A kernel that consists of communication between ranks alone. Its rows in the catalog measure how ranks are
// joined.
#pragma once

#include <string>

#include "kernels/core/cost.hpp"
#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Where a rank has its fields, and its device's links with those of the other ranks; null on a host.
struct RankPlace {
  Backend& on;
  const DeviceLinks* links = nullptr;
};

// The part of one rank. Functions marked "collective" are called by all ranks.
class RankKernelPart {
 public:
  virtual ~RankKernelPart() = default;

  // Sets the input and poisons the output.
  virtual void load() = 0;
  // Collective. Makes one step, or submits it to the rank's device; steps may be repeated without load().
  virtual void run() = 0;
  // Waits until all steps are complete.
  virtual void wait() {}
  // Returns the first value of the output that is wrong; empty if none is.
  virtual std::string difference() const = 0;

  // Returns the cost of a step of this rank. Cells: values received.
  virtual Cost cost() const = 0;
  // Returns what a step sends to other ranks: ghosts, and bytes of sums.
  virtual ExchangeTraffic traffic() const { return {}; }
  virtual double sum_bytes() const { return 0; }
  // Returns the bytes of this rank's fields.
  virtual double field_bytes() const = 0;
};

}  // namespace cfdmark
