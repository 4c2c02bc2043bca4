// Reductions over all ranks in the order of the whole domain: the bits of one rank, whatever the partition.
#pragma once

#include <vector>

#include "kernels/cells/row_parts.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// A reduction over the cells of all ranks, prepared like a step. Each rank reduces its rows; all gather the
// results of all rows and join them in the order of the whole domain. Where rows are cut, a rank continues
// the partial results of the rank to its west.
class DomainReduction {
 public:
  // Collective. `rows`: the reduction on this rank's own cells. `result`: in the host's memory. Throws
  // std::invalid_argument for a reduction over other cells.
  DomainReduction(Ranks&, const Partition&, RowParts rows, double* result);

  // Collective. Stores the result; all ranks get the same bits.
  void run();
  // Returns the bytes that this rank sends in a run.
  double bytes() const;

 private:
  void reduce_cut_rows();

  Ranks& ranks_;
  RowParts rows_;
  double* result_;
  int west_ = -1, east_ = -1;  // ranks with the cells of a row before and after; -1: none
  int column_;                 // of the first cell, in its whole row
  std::vector<char> states_;   // partial results of rows that are cut
  std::vector<double> numbers_, of_all_;
  std::vector<Index> order_;  // for each row of the domain, its place in of_all_
};

}  // namespace cfdmark
