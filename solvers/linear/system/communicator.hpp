// Communication with the other ranks that hold parts of a system: exchange of neighbours' values, and sums.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "kernels/cells/row_parts.hpp"
#include "kernels/core/partition.hpp"
#include "solvers/linear/system/operation.hpp"

namespace cfdmark {

class Operations;

class Communicator {
 public:
  virtual ~Communicator() = default;

  // Returns operations that fill the values of other ranks' unknowns which the operator reads next to those
  // of `field`: the ghosts of a box. They include the copies that fill periodic ghosts.
  virtual std::vector<Operation> exchange(const Operations&, const AnyView& field) const = 0;
  // Returns a step that makes reductions over the rows of all ranks, in the order of the whole domain, with
  // one message to each rank. `of_part`: makes those over this rank's rows. No value: this communicator joins
  // shares of sums.
  virtual std::optional<Step> reduce_rows(const Operations&,
                                          const std::function<std::vector<RowReduction>()>& of_part) const {
    static_cast<void>(of_part);
    return {};
  }
  // Returns operations that replace this rank's share of a sum by the sum over all ranks, in the order of
  // ranks. `share` is a number in the backend's memory.
  virtual std::vector<Operation> sum(const Operations&, double* share) const = 0;
  // Returns the number of unknowns of all ranks.
  virtual Index unknowns() const = 0;

  // Returns the parts of the domain. Null: the unknowns are not the cells of a box.
  virtual const Partition* partition() const { return nullptr; }
  virtual int rank() const { return 0; }
  // Returns the communication of the same ranks on a coarser grid. Null: not supported.
  virtual std::unique_ptr<const Communicator> on(const Partition&) const { return nullptr; }
  // Returns an operation that completes a field of the whole domain, of which each rank has set the cells of
  // its part: all ranks get the cells of all parts.
  virtual Operation gather(const Operations&, const AnyView& whole) const {
    static_cast<void>(whole);
    throw std::logic_error("these ranks gather no fields");
  }
};

}  // namespace cfdmark
