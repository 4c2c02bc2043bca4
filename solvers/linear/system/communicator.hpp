// Communication with the other ranks that hold parts of a system: exchange of neighbours' values, and sums.
#pragma once

#include <vector>

#include "solvers/linear/system/operation.hpp"

namespace cfdmark {

class Operations;

class Communicator {
 public:
  virtual ~Communicator() = default;

  // Returns operations that fill the values of other ranks' unknowns which the operator reads next to those
  // of `field`: the ghosts of a box. They include the copies that fill periodic ghosts.
  virtual std::vector<Operation> exchange(const Operations&, const AnyView& field) const = 0;
  // Returns operations that replace this rank's share of a sum by the sum over all ranks. `share` is a number
  // in the backend's memory.
  virtual std::vector<Operation> sum(const Operations&, double* share) const = 0;
  // Returns the number of unknowns of all ranks.
  virtual Index unknowns() const = 0;
};

}  // namespace cfdmark
