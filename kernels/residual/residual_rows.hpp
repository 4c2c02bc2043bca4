// The residual norm for rows that are computed in arbitrary order, on serial and openmp.
#pragma once

#include <memory>
#include <vector>

#include "kernels/cells/cpu/wavefront_cpu.hpp"
#include "kernels/residual/sweeps_and_residual.hpp"

namespace cfdmark {

// The squares of rows, summed in order of rows once all are computed. The bits equal those of
// ResidualSquare's own methods, whatever thread computed a row.
class ResidualRows {
 public:
  ResidualRows(const Grid& grid, double* square)
      : grid_(grid), square_(square), of_rows_(std::make_shared<std::vector<double>>(rows_of(grid))) {}

  // Computes the rows of a layer: one row in 2-D, those of a plane in 3-D.
  template <class V>
  void make_layer(const typename ResidualSquare::Fields<V>& fields, int layer) const {
    const int rows = grid_.is_3d() ? grid_.ny : 1;
    const RowIndex at(grid_);
    for (Index row = Index(layer) * rows; row < Index(layer + 1) * rows; ++row)
      (*of_rows_)[std::size_t(row)] = reduce_row<V>(ResidualSquare{}, fields, at.j(row), at.k(row), grid_.nx);
  }
  // Sums the rows and stores the result.
  void add_rows() const {
    double total = 0;
    for (double of_row : *of_rows_) total = SumOperation::join(total, of_row);
    *square_ = total;
  }

 private:
  Grid grid_;
  double* square_;
  std::shared_ptr<std::vector<double>> of_rows_;
};

// Returns the cost per iteration of a wavefront with a residual, which adds one part of an iteration at the
// end. of_sweep: cost per iteration without residual; of_a_pass: cost of a pass with one iteration.
template <class K>
Cost wavefront_with_residual_cost(const SweepsAndResidual<K>& args, const Config& config, int parts,
                                  const Cost& of_sweep, const Cost& of_a_pass) {
  const Grid g = args.sweeps.grid();
  const int passes = wavefront_passes(config, g, parts, 1) - wavefront_passes(config, g, parts);
  return with_residual(of_sweep, of_a_pass, args.sweeps, config.integer(sweeps_of_a_run), passes);
}

}  // namespace cfdmark
