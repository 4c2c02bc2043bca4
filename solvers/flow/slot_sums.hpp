// A stack of tunnels in one grid, and sums over each of them.
#pragma once

#include <vector>

#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

// `slots` tunnels of equal grids, one above the other, each followed by rows of solid cells at rest. The
// distance of two tunnels is a multiple of 2 rows, doubled for each coarsening of multigrid: the colours of
// red-black iterations and the points of coarse grids do not depend on the slot.
struct Stack {
  Grid tunnel;
  int slots = 1;
  int coarsenings = 0;

  int pitch() const {  // rows from one tunnel to the next
    const int unit = 2 << coarsenings;
    return (tunnel.ny / unit + 1) * unit;
  }
  int divider() const { return pitch() - tunnel.ny; }
  int first_row(int slot) const { return slot * pitch(); }
  Grid grid() const { return {tunnel.nx, slots * pitch()}; }
};

// Sums of fields on a stack over the cells of each slot. A slot's bits do not depend on the other slots or on
// their number: a row is summed in reduction_lanes parts in the fields' precision, parts and rows in 64 bits,
// always in this order. It is that of a reduction over one tunnel on serial, whose bits they have in fp32 and
// fp64.
class SlotSums {
 public:
  // Takes `threads` from the config. `sums`: number of sums that are kept.
  SlotSums(const System&, const Stack&, int sums, const Config&);

  // Return the operations that make sum number n: of x y, or of x.
  std::vector<Operation> of_product(int n, const AnyView& x, const AnyView& y);
  std::vector<Operation> of(int n, const AnyView& x);
  // Returns the operation that adds up the rows of all sums, to follow them.
  std::vector<Operation> of_slots() const;
  // Downloads all sums; waits for the backend.
  void download() { found_ = slots_.download(); }
  // Returns a sum as of the last download().
  double get(int n, int slot) const { return found_.get(n * stack_.slots + slot, 0); }

 private:
  template <class K>
  Operation prepared(const K&, const typename K::template Fields<AnyViews>&, Precision) const;
  // Returns the operations that make sum number n from the parts that `parts` makes: those of columns
  // `first` .. `end` - 1 with `count` cells each.
  template <class Parts>
  std::vector<Operation> rows_after(int n, const Parts& parts);
  // Returns a view of `count` sums from number `first` on as one column.
  static AnyView column(const Field&, int first, int count);

  System system_;
  Config config_;
  Stack stack_;
  Field parts_, wide_parts_;  // of the rows of one sum; wide: in 64 bits
  Field rows_, slots_;
  HostField found_;
};

}  // namespace cfdmark
