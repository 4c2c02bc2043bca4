// Reductions over all ranks in the order of the whole domain: the bits of one rank, whatever the partition.
#pragma once

#include <vector>

#include "kernels/cells/row_parts.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Reductions over the cells of all ranks, prepared like a step. Each rank reduces its rows; all gather the
// results of all rows, of all reductions at once, and join them in the order of the whole domain. Where rows
// are cut, a rank continues the partial results of the rank to its west.
class DomainReduction {
 public:
  // Collective. The reductions are those on this rank's own cells, with results in the host's memory. Throws
  // std::invalid_argument for a reduction over other cells.
  DomainReduction(Ranks&, const Partition&, std::vector<RowReduction>);

  // Collective. Stores the results; all ranks get the same bits.
  void run();
  // Returns the bytes that this rank sends in a run.
  double bytes() const;

 private:
  void reduce_cut_rows(const RowParts&, double* numbers);

  Ranks& ranks_;
  std::vector<RowReduction> reductions_;
  Index rows_;                            // of this rank's part
  bool cuts_rows_;                        // true if parts lack cells of their rows
  int west_ = -1, east_ = -1;             // ranks with the cells of a row before and after; -1: none
  int column_;                            // of the first cell, in its whole row
  std::vector<char> states_;              // partial results of rows that are cut
  Index most_ = 0;                        // rows of the part with most
  std::vector<double> numbers_, of_all_;  // most_ of each reduction; those of each rank
  std::vector<Index> order_;  // for each row of the domain, its place in of_all_, of the first reduction
};

}  // namespace cfdmark
