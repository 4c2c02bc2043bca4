// The norm of a residual whose rows are made one here, one there, on serial and openmp.
#pragma once

#include <memory>
#include <vector>

#include "kernels/backends/wavefront_cpu.hpp"
#include "kernels/residual/sweeps_and_residual.hpp"

namespace cfdmark {

// The squares of rows, which are added in the order of the rows once all are made: the bits of
// ResidualSquare's own methods, whoever made which row when.
class ResidualRows {
 public:
  ResidualRows(const Grid& grid, double* square)
      : grid_(grid), square_(square), of_rows_(std::make_shared<std::vector<double>>(rows_of(grid))) {}

  // The rows of a layer: one in 2-D, those of a plane in 3-D.
  template <class V>
  void make_layer(const typename ResidualSquare::Fields<V>& fields, int layer) const {
    const int rows = grid_.is_3d() ? grid_.ny : 1;
    const RowIndex at(grid_);
    for (Index row = Index(layer) * rows; row < Index(layer + 1) * rows; ++row)
      (*of_rows_)[std::size_t(row)] = join_row<V>(ResidualSquare{}, fields, at.j(row), at.k(row), grid_.nx);
  }
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

// The cost of a sweep of a wavefront, `of_sweep`, with its share of a residual that follows the last one like
// one part of a sweep more; of_a_pass: what a pass of one sweep does.
template <class K>
Cost wavefront_with_residual_cost(const SweepsAndResidual<K>& args, const Config& config, int parts,
                                  const Cost& of_sweep, const Cost& of_a_pass) {
  const Grid g = args.sweeps.grid();
  const int passes = wavefront_passes(config, g, parts, 1) - wavefront_passes(config, g, parts);
  return with_residual(of_sweep, of_a_pass, args.sweeps, config.whole(sweeps_of_a_run), passes);
}

}  // namespace cfdmark
