#include <cmath>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"

namespace cfdmark {
namespace {

// Distribution of an iteration over threads: independent lines or planes; or one line after another, on one
// thread or with the points of each line distributed.
enum class Sharing { fronts, lines, points };

Step prepare(const BlockArgs& args, const HostRows& rows, Sharing sharing) {
  const std::vector<BlockLines> fronts = block_lines(args);
  if (sharing == Sharing::fronts) return row_step(rows, [=] { sweep_block_lines(fronts, rows); });
  const int shares = sharing == Sharing::points ? rows.threads() : 1;
  return row_step(rows, [=, g = args.grid, backward = args.backward] {
    const Index count = rows_of(g);
    const RowIndex at(g);
    for (Index n = 0; n < count; ++n) {
      const Index line = backward ? count - 1 - n : n;
      rows(shares, [&](Index part) {
        fronts.front().stretch(int(g.nx * part / shares), int(g.nx * (part + 1) / shares), at.j(line),
                               at.k(line));
      });
    }
  });
}

const std::vector<BlockLayout> layouts{BlockLayout::aos25, BlockLayout::aos32, BlockLayout::soa,
                                       BlockLayout::soa_block, BlockLayout::soa_8};

Step on_one_core(Backend&, const BlockArgs& args, const Config& config) {
  return prepare(args, serial_rows(config),
                 args.sweep == BlockSweep::ssor ? Sharing::lines : Sharing::fronts);
}
template <Sharing sharing>
Step on_threads(Backend&, const BlockArgs& args, const Config& config) {
  return prepare(args, openmp_rows(config), sharing);
}

}  // namespace

std::vector<BlockLines> block_lines(const BlockArgs& args) {
  std::vector<BlockLines> fronts;
  for (const BlockFront& front : args.fronts()) {
    fronts.push_back(is_residual(args.sweep) ? residual_lines(args, front) : relaxing_lines(args, front));
    if (args.sweep == BlockSweep::revised_ssor) break;  // its planes contain all fronts
  }
  return fronts;
}

Methods<BlockArgs> block_serial(BlockSweep) { return {block_method<on_one_core>("plain", {}, layouts)}; }

// For SSOR, independent lines are on planes j + k; alternatively threads share each line, along which SSOR is
// Jacobi.
Methods<BlockArgs> block_openmp(BlockSweep sweep) {
  if (sweep != BlockSweep::ssor)
    return {block_method<on_threads<Sharing::fronts>>("plain", openmp_space(), layouts)};
  return {block_method<on_threads<Sharing::fronts>>("hyperplanes", openmp_space(), layouts),
          block_method<on_threads<Sharing::points>>("points", openmp_space(), layouts)};
}

void copy_block_line(const BlockCopy& copy, int j, int k) {
  with_layout(copy.layout, [&]<BlockLayout layout>() {
    with_types(storage_of(copy.precision), [&]<class S, class C>() {
      const auto from = block_matrices<BlockLayout::aos25, const S>(copy.grid, copy.from);
      const auto to = block_matrices<layout, S>(copy.grid, copy.to);
      for (int i = 0; i < copy.grid.nx; ++i) copy_block_point(from, to, S(std::nan("")), i, j, k);
    });
  });
}

// Used by serial too, since the copy is not timed.
Step block_copy_openmp(const BlockCopy& copy) {
  const HostRows rows = HostRows::shared_by(openmp_max_threads());
  return row_step(rows, [=] {
    rows(rows_of(copy.grid), [&](Index line) {
      const RowIndex at(copy.grid);
      copy_block_line(copy, at.j(line), at.k(line));
    });
  });
}

}  // namespace cfdmark
