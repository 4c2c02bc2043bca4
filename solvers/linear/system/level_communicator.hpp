// Communication of multigrid on levels that are not parted between ranks.
#pragma once

#include "solvers/linear/system/communicator.hpp"

namespace cfdmark {

// A communicator may implement it next to Communicator.
class LevelCommunicator {
 public:
  virtual ~LevelCommunicator() = default;

  // Returns an operation that completes a field of the whole domain on one rank, of which each rank has set
  // the cells of its part. The others keep what they have.
  virtual Operation gather_on(int rank, const Operations&, const AnyView& whole) const = 0;
  // Returns an operation by which every rank gets the cells of its part, and one layer around them, of the
  // field of the whole domain that one rank has.
  virtual Operation part_from(int rank, const Operations&, const AnyView& whole) const = 0;
  // Returns an operation that marks where work begins, or ends, that every rank repeats. It is timed apart.
  virtual Operation mark_repeated(const Operations&, bool begins) const = 0;
};

// Returns a box with one more cell on each side, as `part_from` sends it.
inline CellBox with_a_layer(CellBox box, bool in_3d) {
  --box.i, --box.j, box.nx += 2, box.ny += 2;
  if (in_3d) --box.k, box.nz += 2;
  return box;
}

// Returns this interface of a communicator. Throws std::logic_error if it has none.
inline const LevelCommunicator& of_levels(const Communicator& ranks) {
  const auto* found = dynamic_cast<const LevelCommunicator*>(&ranks);
  if (!found) throw std::logic_error("these ranks send no fields of levels");
  return *found;
}

}  // namespace cfdmark
